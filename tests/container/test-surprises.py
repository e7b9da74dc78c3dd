# SPDX-License-Identifier: GPL-3.0-or-later
"""Images and settings of the client that surprise: runs are as always, or a sentence says why there is none."""

import hashlib
import io
import json
import os
import subprocess
import tarfile
import tempfile

import containers
from containers import CLIENT, PLAIN, PYTHON, at_length, image, main, new_name, removed, volumes, volumes_left
from guarded import environment, run
from tap import equal, must

HELLO = ("print('hello')\n", "hello\n")


def says_hello(name, **more):
    run(HELLO[0], image=name, **more).must_be(success=True, stdout=HELLO[1], stderr="")


def shell_says_hello(name, *options):
    run("echo hello\n", *options, suffix=".sh", image=name).must_be(success=True, stdout="hello\n", stderr="")


def with_both(*changes, base=PYTHON):
    """One-shot and kept."""
    with image(*changes, base=base) as name:
        kept = new_name()
        with removed(kept):
            says_hello(name)
            run(HELLO[0], "--keep", kept, image=name).must_be(success=True, stdout=HELLO[1])
            run(HELLO[0], "--keep", kept, image=name).must_be(success=True, stdout=HELLO[1])


def all_at_once():
    """Tries what container-long tries one by one."""
    with_both('ENTRYPOINT ["false"]', 'CMD ["never"]', "USER 12345:54321", "WORKDIR /nowhere/at/all", "VOLUME /data",
              'HEALTHCHECK --interval=1s CMD ["false"]', 'ONBUILD RUN ["false"]', "EXPOSE 80")


@at_length
def own_entrypoint():
    with_both('ENTRYPOINT ["false"]', 'CMD ["never"]')


def preloaded_library():
    with image("ENV LD_PRELOAD=/nowhere.so LD_LIBRARY_PATH=/workspace PYTHONSTARTUP=/nowhere PYTHONHOME= BASH_ENV=/nowhere",
               base=PYTHON) as name:
        run(HELLO[0], image=name).must_be(success=True, stdout=HELLO[1])


def own_variables():
    with image("ENV OF_THE_IMAGE='a b=c' PATH=/workspace/bin:/usr/bin:/bin", base=PYTHON) as name:
        run("import os\nprint(os.environ['OF_THE_IMAGE'], os.environ['PATH'])\n", image=name).must_be(
            stdout="a b=c /workspace/bin:/usr/bin:/bin\n")


@at_length
def own_user():
    with_both("USER nobody")
    with_both("USER 12345:54321")


@at_length
def own_folder():
    with_both("WORKDIR /nowhere/at/all")


def own_volumes():
    before = volumes()
    with_both("VOLUME /data", "VOLUME /workspace", "VOLUME /tmp")
    equal(volumes_left(before), set(), "volumes that are left")


def volume_to_fill():
    """A volume that every user may write to would be on the engine's disk, without a limit."""
    with image("VOLUME /data", "VOLUME /var/lib/place", base=PYTHON) as name:
        run("import os\n"
            "for path in '/data', '/var/lib/place':\n"
            "    try:\n"
            "        open(path + '/x', 'w')\n"
            "    except OSError as error:\n"
            "        print(type(error).__name__, os.statvfs(path).f_blocks * os.statvfs(path).f_frsize)\n",
            image=name).must_be(success=True, stdout="PermissionError 65536\n" * 2)


def open_volumes():
    """Nor is there one where folders of ours are, or with a name that needs care; the image lets everybody write there."""
    places = ["/tmp/x", "/a:b", "/c,d", "/dev/shm", "/opt/fumehood/x", "/home/fumehood", "/e/"]
    folders = {place.strip("/"): 0o1777 for place in places if place != "/dev/shm"}
    with image(f"VOLUME {json.dumps(places)}", base=PYTHON, folders=folders) as name:
        kept = new_name()
        with removed(kept):
            for options in ((), ("--keep", kept), ("--container-files=copy",)):
                result = run(f"import os\nfor path in {places!r}:\n    there = os.statvfs(path)\n"
                             "    print(path, there.f_blocks * there.f_frsize)\n", *options, image=name)
                result.must_be(success=True)
                sizes = dict(line.rsplit(" ", 1) for line in result.stdout.splitlines())
                # The home of a kept container is a folder of this computer.
                wide = {place for place, size in sizes.items() if int(size) > 65536}
                equal((len(sizes), wide), (len(places), {"/home/fumehood"} if options[:1] == ("--keep",) else set()), options)


def own_folders():
    """Where we have ours: which is for the user, whoever they belong to in the image."""
    with image(base=PYTHON, folders={"workspace": 0o755, "tmp": 0o755}) as name:
        kept = new_name()
        with removed(kept):
            for options in ((), ("--keep", kept), ("--root",), ("--container-files=copy",)):
                run("for path in 'x', '/tmp/x':\n    open(path, 'w')\n", *options, image=name).must_be(success=True, stdout="")


@at_length
def own_checks():
    with_both('HEALTHCHECK --interval=1s CMD ["false"]', 'ONBUILD RUN ["false"]', "EXPOSE 80")


def without_python():
    run(HELLO[0], image=PLAIN).must_be(
        status="not-started", exit_status=125, stdout="", error=lambda text: "python3" in text.lower())
    shell_says_hello(PLAIN)
    run("x=(1 2)\n", "--language", "bash", image=PLAIN, suffix=".sh").must_be(
        status="not-started", exit_status=125, error=lambda text: "bash" in text)


def packed(**files):
    """A tar archive of texts, as bytes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name.replace("_", "."))
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return archive.getvalue()


def empty_image(architecture):
    """A name of an image with nothing in it but a text."""
    name = f"{new_name('image')}:latest"
    layer = packed(text=b"nothing\n")
    config = {"architecture": architecture, "os": "linux", "config": {},
              "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]}}
    manifest = [{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]
    archive = packed(config_json=json.dumps(config).encode(), layer_tar=layer, manifest_json=json.dumps(manifest).encode())
    subprocess.run([CLIENT, "load"], input=archive, stdout=subprocess.DEVNULL, check=True)
    return name


def without_anything():
    name = empty_image(containers.call("version", "--format", "{{.Server.Arch}}").stdout.strip())
    try:
        for suffix, word in ((".sh", "sh"), (".py", "python")):
            run("", image=name, suffix=suffix).must_be(
                status="not-started", exit_status=125, error=lambda text, word=word: word in text.lower())
    finally:
        containers.call("image", "rm", name)


def other_processor():
    name = empty_image("s390x")
    try:
        run("echo hello\n", image=name, suffix=".sh").must_be(
            status="not-started", exit_status=125, stdout="", error=lambda text: "s390x" in text)
    finally:
        containers.call("image", "rm", name)


def no_such_image():
    name = "fumehood-test.invalid/never/there:1"
    result = run("print(1)\n", "--no-pull", image=name)
    result.must_be(status="not-started", exit_status=125, stdout="", error=lambda text: name in text)
    must("pull" in result.error.lower(), result.error)


def by_its_number():
    number = containers.call("image", "inspect", "--format", "{{.Id}}", PYTHON).stdout.strip()
    says_hello(number)
    says_hello(number.removeprefix("sha256:")[:12])


def proxies_of_the_client():
    """A client puts those of its settings into every container, passwords and all."""
    secret = "http://user:secret@127.0.0.1:1"
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w", encoding="ascii") as file:
            json.dump({"proxies": {"default": {"httpProxy": secret, "httpsProxy": secret, "ftpProxy": secret,
                                               "noProxy": "secret.example", "allProxy": secret}}}, file)
        shows = "import os\nprint('secret' in str(os.environ).lower(), [n for n in os.environ if 'proxy' in n.lower()])\n"
        kept = new_name()
        with removed(kept):
            for options in ((), ("--keep", kept)):
                run(shows, *options, env=environment(DOCKER_CONFIG=folder)).must_be(success=True, stdout="False []\n")


def broken_settings():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.json"), "w", encoding="ascii") as file:
            file.write('{"detachKeys": "a", "psFormat": "secret", "auths": {}}')
        run("print(input())\n", env=environment(DOCKER_CONFIG=folder)).must_be(exit_code=1)
        run("print('aaa')\n", env=environment(DOCKER_CONFIG=folder)).must_be(success=True, stdout="aaa\n")


def no_engine():
    for host in ("unix:///nowhere/docker.sock", "tcp://127.0.0.1:1"):
        result = run("print(1)\n", env=environment(DOCKER_HOST=host), image=PYTHON)
        result.must_be(status="not-started", exit_status=125, stdout="", elapsed=lambda s: s < 29)
        must(len(result.error) > 20 and "Traceback" not in result.error, result.error)


if __name__ == "__main__":
    main({
        "an entrypoint, a user, a folder and more": all_at_once,
        "an entrypoint": own_entrypoint,
        "a library that is preloaded": preloaded_library,
        "variables of the image": own_variables,
        "a user": own_user,
        "a folder that is not there": own_folder,
        "volumes": own_volumes,
        "a volume to fill": volume_to_fill,
        "volumes that everybody may write to": open_volumes,
        "folders where ours are": own_folders,
        "health checks, signals and triggers": own_checks,
        "no Python": without_python,
        "nothing at all": without_anything,
        "another processor": other_processor,
        "an image that is not there": no_such_image,
        "an image by its number": by_its_number,
        "proxies of the client": proxies_of_the_client,
        "other settings of the client": broken_settings,
        "no engine": no_engine,
    })
