# SPDX-License-Identifier: GPL-3.0-or-later
"""A container that is made before its run: the interpreter waits inside. It is as guarded as any other, nobody but its
run gets it, and nothing of it is left, however its maker ends.

FH_SEED repeats a sequence.
"""

import contextlib
import json
import os
import random
import re
import subprocess
import time
from pathlib import Path

import containers
from containers import at_length, call, inspect, named, volumes, volumes_left
from guarded import environment, save
from tap import equal, must, until

SEED = int(os.environ.get("FH_SEED", random.randrange(1 << 32)))
KILLS = 15
# When the maker is killed, and whether it was asked for a run as well.
MOMENTS = (
    ("asked", lambda client: None, False),
    ("made", lambda client: until(client.containers, "a container"), False),
    ("waiting", lambda client: until(client.waiting, "an interpreter that waits"), False),
    ("used", lambda client: until(client.waiting, "an interpreter that waits"), True),
)
OWNER = "label=io.github.fumehood.owner"
# Denied, and reported.
PROGRAM = """
import os, socket, sys
print(sys.argv[1:], os.listdir('.'), sorted(os.listdir('/proc/self/fd')))
print(open('/proc/self/status').read().split('NoNewPrivs')[1].split('Speculation')[0])
for call in (lambda: open('/etc/shadow'), lambda: os.mkdir('/new'), lambda: socket.create_connection(('1.1.1.1', 443))):
    try:
        call()
    except OSError as error:
        print(error.errno)
"""


class Client:
    """Prepares runs, and runs them."""

    def __init__(self, image=containers.PYTHON):
        self.process = subprocess.Popen([os.environ["FH_AHEAD_CLIENT"], "docker", image], env=environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ask(self, line):
        self.tell(line)
        return self.process.stdout.readline().strip()

    def run(self, path, *words):
        return json.loads(self.ask(" ".join(["run", path, *words])))

    def containers(self):
        owners = [(name, (inspect(name) or {"Config": {"Labels": {}}})["Config"]["Labels"].get("io.github.fumehood.owner", ""))
                  for name in named(OWNER)]
        return [name for name, owner in owners if str(self.process.pid) in owner.split(".")]

    def waiting(self):
        return next((name for name in self.containers() if waits(name)), None)

    def engine_clients(self):
        """The processes that go on making a container, or talking to it, when this one is dead."""
        owner = re.compile(rb"io\.github\.fumehood\.owner=[^\0]*\.%d\." % self.process.pid)
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                found += [path.parent.name] if owner.search(path.read_bytes()) else []
        return found

    def has_heard(self):
        """It has taken notice of the end of each client of the engine that it has started."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if path.read_text().rpartition(")")[2].split()[1] == str(self.process.pid):
                    return False
        return True

    def prepare(self):
        """Gives the name of the container in which an interpreter waits."""
        equal(self.ask("prepare"), "preparing", "the answer")
        return until(self.waiting, "an interpreter that waits")

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=300)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        containers.remove(*self.containers())


def waits(name):
    return "bootstrap.py" in call("top", name, "-eo", "pid,args", check=False).stdout


def ok(result):
    equal((result["status"], result["backend"]), ("ok", "container"), str(result)[:1500])
    return result


def as_guarded():
    def told(result):
        ok(result)
        return (result["stdout"], result["guards"],
                sorted((attempt["guard"], attempt["verdict"], attempt.get("operation"), attempt.get("object"),
                        attempt["count"]) for attempt in result["attempts"]))
    path = save(PROGRAM)
    with Client() as client:
        client.prepare()
        warm = told(client.run(path, "a", "b"))
        until(lambda: not client.containers(), "its removal")
        cold = told(client.run(path, "a", "b"))
        equal(warm, cold, "output, guards and attempts")
        must(len(warm[2]) > 1, f"few attempts: {warm[2]}")


def used_once():
    path = save("import socket; print(open('/proc/self/cgroup').read() + open('/proc/sys/kernel/random/uuid').read())\n"
                "open('/tmp/mark', 'x'); open('/workspace/mark', 'x')\n")
    with Client() as client:
        for _ in range(2 if containers.IS_SHORT else 3):
            client.prepare()
            ok(client.run(path))
        # While the interpreter is still starting.
        for _ in range(1 if containers.IS_SHORT else 3):
            client.ask("prepare")
            until(client.containers, "a container")
            ok(client.run(path))
        equal(client.ask("drop"), "dropped", "the answer")
        equal(client.containers(), [], "containers that are left")


def trouble():
    """What others do to it meanwhile; the run has another one."""
    path = save("print('ran')")
    for words in (["kill"], ["rm", "--force"], ["stop", "--time=5"]):
        with Client() as client:
            name = client.prepare()
            call(*words, name)
            until(client.has_heard, "the end of its client")
            equal(ok(client.run(path))["stdout"], "ran\n", f"after {words}")
            must(name not in client.containers(), f"still there after {words}")


def other_image():
    """The name of the image is another image's by now."""
    path = save("import os; print(os.environ.get('WHICH'))")
    with containers.image("ENV WHICH=old", base=containers.PYTHON) as old, \
            containers.image("ENV WHICH=new", base=containers.PYTHON) as new, Client(old) as client:
        client.prepare()
        call("tag", new, old)
        equal(ok(client.run(path))["stdout"], "new\n", "the image")


def nothing_is_left():
    before = volumes()
    with Client() as client:
        client.prepare()
        equal(client.ask("drop"), "dropped", "the answer")
        equal(client.containers(), [], "after it was dropped")
    with Client() as client:
        client.prepare()
        client.end()
        until(lambda: not client.containers(), "its removal after the end of its maker")
        # Who looks for it again, a few times, goes as well.
        until(lambda: not containers.removals(""), "the end of removals")
    equal(volumes_left(before), set(), "volumes that are left")


def is_killed(client):
    client.process.kill()
    client.process.wait()
    # The engine may still be making it; the interpreter in it ends by itself.
    until(lambda: not client.engine_clients(), "the end of the engine's clients")
    until(lambda: not client.waiting(), "the end of what waited")
    # The next process of ours does the same.
    answer = subprocess.run([os.environ["FH_CONTAINER_CLIENT"], "reap"], env=environment(), check=False,
                            capture_output=True, text=True)
    equal(answer.returncode, 0, answer.stdout)
    equal(client.containers(), [], "containers that are left")


def kills():
    before = volumes()
    path = save("print('ran')")
    for moment, is_now, is_run in MOMENTS:
        with Client() as client:
            client.tell("prepare")
            is_now(client)
            if is_run:
                client.tell(f"run {path}")
            print(f"# {moment}", flush=True)
            is_killed(client)
    equal(volumes_left(before), set(), "volumes that are left")


@at_length
def random_kills():
    dice = random.Random(SEED)
    before = volumes()
    print(f"# seed {SEED}", flush=True)
    path = save("print('ran')")
    for number in range(KILLS):
        with Client() as client:
            client.tell("prepare")
            if number % 3 == 2:
                client.tell(f"run {path}")
            time.sleep(dice.uniform(0, 0.6))
            is_killed(client)
    equal(volumes_left(before), set(), "volumes that are left")


if __name__ == "__main__":
    containers.main({
        "it is as guarded as one that is made for its run": as_guarded,
        "each serves one run": used_once,
        "what others do to it is no trouble for the run": trouble,
        "an image of the same name": other_image,
        "nothing is left of what is not used": nothing_is_left,
        "kills at known moments": kills,
        f"{KILLS} kills at random moments": random_kills,
    })
