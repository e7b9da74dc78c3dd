# SPDX-License-Identifier: GPL-3.0-or-later
"""What no container may be shown, and what a program that may write in one folder does so that a later run is given
another one: it puts links in the place of names. test-races.py does so all the time."""

import contextlib
import json
import os
import socket
import stat
import subprocess

import containers
from relay import remote
from tap import equal, must
from work import command, folder, run, save
from guarded import CTL, RUN, environment

LOOK = "import os\nprint(os.listdir('/data'))\nopen('/data/planted', 'w').close()\n"


def refusal(*words, source="print('ran')\n", **more):
    """What is said when nothing was run."""
    answer = command(*RUN, *words, save(source), **more)
    must(answer.returncode == 125 and answer.stdout == b"", f"{words}: {answer}")
    return answer.stderr.decode()


def planted_links(**more):
    with folder(mine="x") as work, folder(secret="x", deep__secret="x") as other:
        (work / "data").symlink_to(other)
        (work / "sub").symlink_to(other)
        (work / "file").symlink_to(other / "secret")
        (work / "root").symlink_to("/")
        for words in ((f"--volume={work}/data:/data",), (f"--volume={work}/data:/data:rw",),
                      (f"--volume={work}/sub/deep:/data:rw",), (f"--volume={work}/file:/data",),
                      (f"--volume={work}/root:/data",), (f"--work-dir={work}/data",),
                      (f"--work-dir={work}/sub/deep",), (f"--work-dir={work}/sub/new",), (f"--work-dir={work}/root",),
                      (f"--work-dir={work}", f"--bind-dir={work}/data")):
            said = refusal(*words, **more)
            must("link" in said and str(work) in said, f"{words}: {said}")
        equal(sorted(path.name for path in other.iterdir()), ["deep", "secret"], "what was made through a link")


def planted_links_by_tcp():
    """An engine behind a port may still be of this computer."""
    with remote() as address:
        planted_links(env=environment(DOCKER_HOST=address))


def links_of_the_system():
    """One that the system has, and only root can change, is a name like any other."""
    must(os.path.islink("/bin"), "no such link here")
    run("import os; print(os.path.getsize('/data') > 0)", "--volume=/bin/sh:/data").must_be(status="ok", stdout="True\n")


def copied_out():
    """The folder becomes a link to another one while the program runs."""
    for number, options in enumerate((("--container-files=copy",), ("--root",))):
        name = containers.new_name("copied")
        with containers.removed(name), folder(work__a="a") as base, folder(**{".bashrc": "mine", "more": "x"}) as home:
            work = base / "work"
            source = ("import os, time\nprint('here', flush=True)\nwhile not os.path.exists('/tmp/go'): time.sleep(.05)\n"
                      "open('.bashrc', 'w').write('planted'); open('new', 'w').write('planted')\n")
            with subprocess.Popen([CTL, *RUN, "--no-history", f"--container-name={name}", f"--work-dir={work}", *options,
                                   save(source)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                  env=environment()) as process:
                equal(process.stdout.readline(), b"here\n", "what it says")
                work.rename(base / "moved")
                work.symlink_to(home)
                containers.call("exec", name, "touch", "/tmp/go")
                process.wait(60)
            equal((sorted(path.name for path in home.iterdir()), (home / ".bashrc").read_text()),
                  ([".bashrc", "more"], "mine"), f"the other folder, {number}")
            equal((base / "moved/new").read_text(), "planted", "the work folder")


def what_root_has():
    """Files that the user cannot read, in a folder of his, are not shown to user 0 of an engine that is the system's."""
    with folder(mine="x") as base:
        base.chmod(0o755)
        containers.call("run", "--rm", "--network", "none", "--volume", f"{base}:/place", containers.PLAIN, "sh", "-c",
                        "mkdir -m 700 /place/roots && echo secret >/place/roots/a && cp /place/roots/a /place/b && "
                        "chmod 600 /place/b")
        try:
            read = "import os\nfor r, _, names in os.walk('/data'):\n  print([open(os.path.join(r, n)).read() for n in names])\n"
            for words in ((f"--volume={base}:/data",), (f"--volume={base}:/data:rw",), (f"--volume={base}/roots:/data",),
                          (f"--volume={base}/b:/data/b",), (f"--volume={base}/mine:/data:rw",),
                          (f"--work-dir={base}", "--container-files=bind"), (f"--work-dir={base}", f"--bind-dir={base}")):
                said = refusal("--root", *words, source=read)
                must("--root" in said or "user 0" in said, f"{words}: {said}")
            run("print(open('/data').read())", "--root", f"--volume={base}/mine:/data").must_be(status="ok", stdout="x\n")
        finally:
            containers.call("run", "--rm", "--network", "none", "--volume", f"{base}:/place", containers.PLAIN, "sh", "-c",
                            "rm -rf /place/roots /place/b")


def another_place():
    """The folder that the engine knows must be the user's to show as well."""
    with folder(mine="x") as work, folder(**{"home__.ssh__id": "key", "home__work__a": "a"}) as base:
        home = base / "home"
        for place in (home / ".ssh", home, base):
            refusal(f"--work-dir={work}", f"--bind-dir={place}", env=environment(HOME=str(home)))


@contextlib.contextmanager
def engine_at(path):
    """A socket with a listener."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        yield


def context(path, where):
    """What Docker's client keeps of an engine that it can be told to use."""
    meta = path / "contexts/meta/0123"
    meta.mkdir(parents=True)
    (meta / "meta.json").write_text(json.dumps({"Name": "other", "Endpoints": {"docker": {"Host": f"unix://{where}"}}}))


def engines_inside():
    """A folder with an engine's socket somewhere in it."""
    with folder(some__where__a="x", other__a="x", config__a="x", home__a="x") as base:
        context(base / "config", base / "some/where/any")
        more = {"env": environment(DOCKER_CONFIG=str(base / "config"), HOME=str(base / "home"))}
        for path in (base / "some", base / "some/where", base):
            # Before it is there as well: it may be made while the container runs.
            for words in ((f"--volume={path}:/data",), (f"--work-dir={path}",)):
                said = refusal(*words, **more)
                # All of it holds the home as well, which is as good a reason.
                must("engine" in said or path == base, f"{words}: {said}")
        with engine_at(base / "some/where/any"):
            os.link(base / "some/where/any", base / "other/same")
            for path in (base / "some/where/any", base / "other", base / "other/same"):
                must("engine" in refusal(f"--volume={path}:/data", **more), str(path))
        (base / "other/same").unlink()
        (base / "other/far/away").mkdir(parents=True)
        run("print(1)", f"--volume={base}/other:/data", **more).must_be(status="ok")
        with engine_at(base / "other/far/away/docker.sock"):
            must("engine" in refusal(f"--volume={base}/other:/data", **more), "by its name")
        for name in (".docker/desktop", ".docker/run", ".colima/default", ".lima/x", ".local/share/docker"):
            place = base / "home" / name
            place.mkdir(parents=True)
            must("engine" in refusal(f"--volume={place}:/data", **more), name)


def closed_folders():
    """What a work folder cannot be, because all in it could be changed, no volume is either."""
    names = (".ssh/id", ".gnupg/x", ".config/autostart/x", ".local/share/fumehood/x", ".local/state/fumehood/x",
             ".cache/fumehood/x", "docs/x")
    with folder(**{f"home__{name.replace('/', '__')}": "x" for name in names}) as base:
        home = base / "home"
        more = {"env": {name: value for name, value in environment(HOME=str(home)).items()
                        if not name.startswith("XDG_")}}
        for path in (home, base, home / ".config", home / ".local/share", home / ".local/state", home / ".cache"):
            refusal(f"--volume={path}:/data:rw", **more)
        for path in (".ssh", ".ssh/id", ".gnupg", ".local/share/fumehood", ".local/state/fumehood", ".cache/fumehood"):
            for access in ("", ":rw"):
                refusal(f"--volume={home / path}:/data{access}", **more)
        for path in ("/usr/share", "/etc", "/bin"):
            refusal(f"--volume={path}:/data:rw", **more)
        for access in ("", ":rw"):
            run("import os; print(os.listdir('/data'))", f"--volume={home}/docs:/data{access}", **more).must_be(
                status="ok", stdout="['x']\n")


def missing():
    """What is not there could be anything a moment later."""
    with folder(mine="x") as base:
        said = refusal(f"--volume={base}/new:/data")
        must(str(base / "new") in said, said)
        must(not (base / "new").exists(), "it was made")


def replaced():
    """A kept container goes on with the folder that it was made with; the next run says so."""
    name = containers.new_name("replaced")
    with containers.removed(name), folder(data__mine="x") as work:
        options = (f"--keep={name}", f"--volume={work}/data:/data:rw")
        run(LOOK, *options).must_be(status="ok")
        (work / "data").rename(work / "old")
        (work / "data").mkdir()
        result = run(LOOK, *options)
        must(result.status != "ok" and result.stdout == "" and result.exit_status == 125, str(result))
        must("replaced" in result.sentence and "restart" in result.advice, str(result))
        equal(command("container", "restart", name).returncode, 0, "restart")
        run(LOOK, *options).must_be(status="ok", stdout="[]\n")
        equal(stat.S_ISREG((work / "data/planted").stat().st_mode), True, "what it left")


if __name__ == "__main__":
    containers.main({
        "links that were planted": planted_links,
        "links that were planted, and an engine behind a port": planted_links_by_tcp,
        "links of the system": links_of_the_system,
        "a folder that becomes a link while its files are away": copied_out,
        "user 0 and files of root": what_root_has,
        "a work folder that the engine knows by another path": another_place,
        "engines in folders": engines_inside,
        "keys, and what starts by itself": closed_folders,
        "a folder that is not there": missing,
        "a folder that was replaced": replaced,
    })
