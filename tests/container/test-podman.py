# SPDX-License-Identifier: GPL-3.0-or-later
"""Podman without root, with settings and storage of its own: the same runs, as far as it can make containers here."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from containers import at_length, chosen
from guarded import command, environment, must_vanish, save
from session_client import Session, works
from tap import Tap, equal, must, until

HERE = Path(__file__).parent
PODMAN = shutil.which("podman") or "podman"
PYTHON = "localhost/python:3-slim"
PLAIN = "localhost/plain:latest"


class Place:
    """Nothing of it is in the user's own storage. Limits on processes and files may be raised by root only, and there
    is no systemd that could make control groups."""

    def __init__(self, folder):
        self.folder = Path(folder)
        runtime = "runc" if shutil.which("runc", path="/usr/sbin:/usr/bin:/sbin:/bin") else "crun"
        (self.folder / "containers.conf").write_text(
            '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n'
            f'[engine]\nruntime = "{runtime}"\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\n', encoding="ascii")
        (self.folder / "storage.conf").write_text(
            f'[storage]\ndriver = "overlay"\nrunroot = "{folder}/run"\ngraphroot = "{folder}/storage"\n'
            f'rootless_storage_path = "{folder}/storage"\n', encoding="ascii")
        (self.folder / "runtime").mkdir(mode=0o700)
        self.environment = environment(
            CONTAINERS_CONF=f"{folder}/containers.conf", CONTAINERS_STORAGE_CONF=f"{folder}/storage.conf",
            XDG_RUNTIME_DIR=f"{folder}/runtime", XDG_CACHE_HOME=f"{folder}/cache")
        self.environment.pop("DOCKER_HOST", None)

    def podman(self, *words, check=True):
        answer = subprocess.run([PODMAN, *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                text=True, errors="replace", timeout=300, check=False)
        must(not check or answer.returncode == 0, f"podman {' '.join(words)}: {answer.stderr}")
        return answer

    def why_not(self):
        if os.geteuid() == 0:
            return "podman is tested as an ordinary user"
        if shutil.which(PODMAN) is None:
            return "podman is not installed"
        made = subprocess.run(["/usr/bin/python3", HERE / "build-images.py", "--client", PODMAN], env=self.environment,
                              capture_output=True, text=True, errors="replace", timeout=300, check=False)
        if made.returncode != 0:
            return f"podman takes no image here: {made.stderr.strip()[-300:]}"
        tried = self.podman("run", "--rm", "--network=none", "--userns=keep-id", "--read-only", PLAIN, "true", check=False)
        if tried.returncode != 0:
            return f"podman makes no container here: {tried.stderr.strip()[-300:]}"
        return None

    def run(self, source, *options, image=PYTHON, suffix=".py"):
        answer = command("run", "--engine=podman", f"--container={image}", "--json", "--no-history", *options,
                         save(source, suffix), env=self.environment)
        must(answer.stdout.startswith(b"{"), f"no JSON: {answer.stderr!r}")
        return json.loads(answer.stdout)

    def names(self):
        return set(self.podman("ps", "--all", "--format", "{{.Names}}").stdout.split())

    def remove(self):
        """Files in it may belong to users that only podman can be."""
        if shutil.which(PODMAN):
            self.podman("rm", "--all", "--force", "--volumes", check=False)
            self.podman("unshare", "rm", "-rf", str(self.folder / "storage"), check=False)


def ended(result, status, **fields):
    equal(result["status"], status, f"status: {str(result)[:1500]}")
    for name, value in fields.items():
        equal(result[name], value, name)


def says_hello(place):
    ended(place.run("import sys\nprint('hello')\nprint('err', file=sys.stderr)\n"), "ok", stdout="hello\n", stderr="err\n")
    ended(place.run("echo hello\n", image=PLAIN, suffix=".sh"), "ok", stdout="hello\n")
    ended(place.run("raise SystemExit(137)\n"), "failed", exit_code=137)


def belongs_to_the_user(place):
    folder = place.folder / "work"
    ended(place.run("import os\nopen('made', 'w').write('text')\nprint(os.getuid())\n", "--work-dir", str(folder)), "ok",
          stdout=f"{os.getuid()}\n")
    equal((folder / "made").stat().st_uid, os.getuid(), "owner")


def is_copied(place):
    """As if podman were on another computer: nothing is bound, and our programs cannot be changed."""
    folder = place.folder / "copied"
    folder.mkdir()
    (folder / "in").write_text("1")
    options = ("--container-files=copy", "--keep=fh-copied", "--work-dir", str(folder))
    source = """
import os
print(open('in').read(), os.path.exists('out'))
open('out', 'w').write('2')
open('in', 'a').write('+')
for path in ('/opt/fumehood/runner', '/opt/fumehood/guest/bootstrap.py', '/opt/fumehood/new'):
    try: open(path, 'ab')
    except OSError: pass
    else: print('changed:', path)
"""
    ended(place.run(source, *options), "ok", stdout="1 False\n")
    equal(((folder / "in").read_text(), (folder / "out").read_text(), (folder / "out").stat().st_uid), ("1+", "2", os.getuid()),
          "what came out")
    ended(place.run(source, *options), "ok", stdout="1+ True\n")
    answer = command("container", "stop", "--engine=podman", "fh-copied", env=place.environment)
    equal(answer.returncode, 0, f"{answer}")
    ended(place.run("import os; print(os.path.exists('out'), open('in').read())", *options), "ok", stdout="True 1++\n")
    answer = command("container", "remove", "--engine=podman", "fh-copied", env=place.environment)
    equal(answer.returncode, 0, f"{answer}")
    equal(place.podman("volume", "ls", "--quiet").stdout, "", "volumes")


@at_length
def is_kept(place):
    ended(place.run("open('left', 'w').write('text')\n", "--keep", "fh-podman"), "ok")
    ended(place.run("print(open('left').read())\n", "--keep", "fh-podman"), "ok", stdout="text\n")
    must("fh-podman" in place.names(), "it is gone")
    answer = command("container", "remove", "--engine=podman", "fh-podman", env=place.environment)
    equal(answer.returncode, 0, f"{answer}")
    must("fh-podman" not in place.names(), "it is still there")


def times_out(place):
    result = place.run("import ctypes, time\nctypes.CDLL(None).prctl(15, b'fh-podman-t')\nprint('kept', flush=True)\n"
                       "time.sleep(60)\n", "--timeout", "1")
    ended(result, "timed-out", stdout="kept\n")
    must_vanish("fh-podman-t")


def limits_are_true(place):
    """Where podman drops a limit without a word, the guards say so; the program does not get more all the same."""
    result = place.run("x = bytearray(b'x') * (600 << 20)\nprint('more')\n", "--memory", "128M", "--timeout", "30")
    must(result["status"] == "memory-exceeded" and result["stdout"] == "", str(result)[:1500])
    memory = next(guard for guard in result["guards"] if guard["guard"] == "memory")
    must(memory["level"] == "active" or memory["reason"], str(memory))


def nothing_gets_out(place):
    result = place.run("import os, socket\ntry: socket.create_connection(('1.1.1.1', 443), 2)\n"
                       "except OSError as error: print(error.errno)\ntry: open('/etc/new', 'w')\n"
                       "except OSError as error: print(error.errno)\nprint(sorted(os.listdir('/sys/class/net')))\n")
    must(result["success"] and result["stdout"].endswith("30\n['lo']\n"), str(result)[:1500])
    must(("connect", "1.1.1.1:443") in {(one["operation"], one["object"]) for one in result["attempts"]},
         str(result["attempts"]))


def is_made_ahead(place):
    """As test-ahead.py has it: one that waits for its run, and one that is dropped."""
    path = save("import sys; print('hello', sys.argv[1:])\n")
    process = subprocess.Popen([os.environ["FH_AHEAD_CLIENT"], "podman", PYTHON], env=place.environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(line):
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline()

    with process:
        ask("prepare")
        until(lambda: any("bootstrap.py" in place.podman("top", name, "args", check=False).stdout for name in place.names()),
              "an interpreter that waits")
        ended(json.loads(ask(f"run {path} a")), "ok", stdout="hello ['a']\n", tier="D")
        ask("prepare")
        equal(ask("drop"), "dropped\n", "the answer")
        equal(place.names(), set(), "containers")
        process.stdin.close()


@at_length
def runs_cells(place):
    with Session("--engine=podman", "--container", PYTHON, environment=place.environment) as session:
        answer = session.run("open('left', 'w').write('a')\nx = 41\nNone")
        must(answer["success"], str(answer))
        equal((answer["tier"], [file["path"] for file in answer["files"]]), ("D", ["left"]), "tier and files")
        must(session.run("import time; time.sleep(100)", timeout=0.3)["timeout"], "a time limit")
        works(session.run("x + 1"), "42")
        must(session.run("import os; os._exit(3)")["session_ended"], "an end")
        equal(session.run("x")["error"], "NameError: name 'x' is not defined", "a new interpreter")


def nothing_is_left(place):
    equal(place.names(), set(), "containers")


CASES = {
    "a run": says_hello,
    "results belong to the user": belongs_to_the_user,
    "files are copied": is_copied,
    "a container is kept": is_kept,
    "the time limit": times_out,
    "limits are what is told": limits_are_true,
    "nothing gets out": nothing_gets_out,
    "one that is made ahead": is_made_ahead,
    "a session": runs_cells,
    "nothing is left": nothing_is_left,
}


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="fh-podman-", ignore_cleanup_errors=True) as folder:
        place = Place(folder)
        try:
            reason = place.why_not()
            for name, function in chosen(CASES).items():
                if reason is None:
                    begin = time.monotonic()
                    tap.case(name, function, place)
                    tap.note(f"{time.monotonic() - begin:.1f} s")
                else:
                    tap.skip(name, reason)
        finally:
            place.remove()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
