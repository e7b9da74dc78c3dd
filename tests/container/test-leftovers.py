# SPDX-License-Identifier: GPL-3.0-or-later
"""Fifty runs, ten of which are killed at random moments: the engine's client that holds the conversation, any call of
the client, or fumehoodctl itself. After one more start nothing of them is left: no container, volume, process or folder.

FH_SEED repeats a sequence.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

from containers import call, main, new_name, removed, volumes, volumes_left
from guarded import CTL, RUN, STATE, environment, processes_called, save
from tap import equal, must

SEED = int(os.environ.get("FH_SEED", random.randrange(1 << 32)))
RUNS, KILLED = 50, 10
MARK = uuid.uuid4().hex
GUEST = "fh-leftover"
# Its child has left its session and holds the output open.
PROGRAM = f"""
import ctypes, os, sys, time
ctypes.CDLL(None).prctl(15, {GUEST.encode()!r})
print('ready', flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
time.sleep(float(sys.argv[1]))
open('left.txt', 'w').write('text')
print('done')
"""
CACHE = Path(STATE.name) / "cache"
RUNTIME = Path(STATE.name) / "runtime"


def marked():
    """Processes that we or those whom we started have started, by what they are called."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if MARK.encode() in (path / "environ").read_bytes():
                words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                # Podman keeps a process for each user that asked it anything; it is asked where Docker answers late.
                if Path(words.strip()).name != "podman":
                    found[int(path.name)] = words
        except OSError:
            continue
    return found


def surroundings():
    return environment(FH_LEFTOVER_MARK=MARK, XDG_CACHE_HOME=str(CACHE), XDG_RUNTIME_DIR=str(RUNTIME))


class Owners:
    """Whose containers are looked for: those of the processes that were started here."""

    def __init__(self):
        self.pids = set()

    def start(self, path, seconds, *options):
        process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", "--timeout", "20", *options, path, "--",
                                    str(seconds)], env=surroundings(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pids.add(str(process.pid))
        return process

    def containers(self):
        """Those that are not kept, by the engine's own words."""
        names = call("ps", "--all", "--quiet", "--no-trunc", "--filter", "label=io.github.fumehood").stdout.split()
        found = {}
        for name in names:
            answer = call("inspect", "--type", "container", name, check=False)
            if answer.returncode != 0:
                continue
            one = json.loads(answer.stdout)[0]
            labels = one["Config"]["Labels"]
            owner = labels.get("io.github.fumehood.owner", "").split(".")
            if self.pids & set(owner) and labels.get("io.github.fumehood.kept") != "1":
                found[one["Name"]] = one["State"]["Status"]
        return found


def children(pid, wanted):
    """Clients of the engine that this process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
            words = (path / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if parent == str(pid) and len(words) > 2 and "docker" in words[0] and wanted(words[1]):
            found.append(int(path.name))
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_child(process, wanted, dice):
    """As soon as there is one, and a moment later; FALSE when the run ended before."""
    while process.poll() is None:
        found = children(process.pid, wanted)
        if found:
            time.sleep(dice.uniform(0, 0.3))
            kill(found[0])
            return
        time.sleep(0.002)


def kill_owner(process, dice):
    time.sleep(dice.uniform(0, 0.9))
    kill(process.pid)


def one_run(owners, path, dice, way, options):
    process = owners.start(path, dice.choice([0, 0, 0.3]) if way is None else 0.6, *options)
    if way == "client":
        kill_child(process, lambda word: word in ("run", "exec"), dice)
    elif way == "call":
        kill_child(process, lambda word: True, dice)
    elif way == "owner":
        kill_owner(process, dice)
    out, errors = process.communicate(timeout=60)
    if way == "owner":
        return
    must(out, f"no JSON, but {errors!r} ({way})")
    result = json.loads(out)
    if way is None:
        equal((result["status"], result["stdout"]), ("ok", "ready\ndone\n"), str(result)[:800])
    else:
        must(result["error"] is not None or result["success"], str(result)[:800])


def wait_until(seconds, look):
    """What `look` finds in the end: nothing, as a rule at once."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.2)


def fifty_runs():
    dice = random.Random(SEED)
    kept = new_name("kept")
    before = volumes()
    owners = Owners()
    path = save(PROGRAM)
    RUNTIME.mkdir(mode=0o700, exist_ok=True)
    victims = dict(zip(dice.sample(range(RUNS), KILLED), ["client", "call", "owner"] * 4))
    print(f"# seed {SEED}", flush=True)
    with removed(kept):
        for number in range(RUNS):
            # Every fifth in a container that is kept, which has to serve the next ones whatever happened.
            options = ["--keep", kept] if number % 5 == 4 else []
            one_run(owners, path, dice, victims.get(number), options)
        one_run(owners, path, dice, None, ["--keep", kept])
        one_run(owners, path, dice, None, [])
        equal(wait_until(60, owners.containers), {}, "containers that are left")
        equal(wait_until(60, lambda: processes_called(GUEST)), [], "programs that are left")
        answer = subprocess.run([CTL, "container", "remove", kept], env=surroundings(), check=False, capture_output=True)
        equal(answer.returncode, 0, answer.stderr)
    equal(wait_until(60, marked), {}, "processes that are left")
    equal(volumes_left(before), set(), "volumes that are left")
    equal([str(found) for found in CACHE.glob("fumehood/containers/*")], [], "folders that are left")


if __name__ == "__main__":
    sys.exit(main({"fifty runs, ten of them killed, leave nothing": fifty_runs}))
