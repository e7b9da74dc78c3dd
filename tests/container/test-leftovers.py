# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that are killed: the engine's client that holds the conversation, any call of the client, or fumehoodctl itself.
After one more start nothing of them is left: no container, volume, process or folder. The suite container kills at
moments that it knows, container-long ten of fifty runs at random ones.

FH_SEED repeats a sequence.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

from containers import at_length, call, main, new_name, removed, volumes, volumes_left
from guarded import CTL, RUN, STATE, environment, processes_called, save
from tap import equal, must, until

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
        process = subprocess.Popen([CTL, *RUN, "--json", "--no-history", "--timeout", "40", *options, path, "--",
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


def kill_child(process, wanted, wait):
    """Waits until there is one, and a moment longer, unless the run ended before."""
    while process.poll() is None:
        found = children(process.pid, wanted)
        if found:
            wait()
            kill(found[0])
            return
        time.sleep(0.002)


def talks(word):
    """Whether such a client holds the conversation."""
    return word in ("run", "exec")


def any_call(_word):
    return True


def end_of(process, way):
    """Returns what the run says that was killed in this way, or in none."""
    out, errors = process.communicate(timeout=300)
    if way == "owner":
        return
    must(out, f"no JSON, but {errors!r} ({way})")
    result = json.loads(out)
    if way is None:
        equal((result["status"], result["stdout"]), ("ok", "ready\ndone\n"), str(result)[:800])
    else:
        must(result["error"] is not None or result["success"], str(result)[:800])


def one_run(owners, path, dice, way, options):
    process = owners.start(path, dice.choice([0, 0, 0.3]) if way is None else 0.6, *options)
    if way == "client":
        kill_child(process, talks, lambda: time.sleep(dice.uniform(0, 0.3)))
    elif way == "call":
        kill_child(process, any_call, lambda: time.sleep(dice.uniform(0, 0.3)))
    elif way == "owner":
        time.sleep(dice.uniform(0, 0.9))
        kill(process.pid)
    end_of(process, way)


@contextlib.contextmanager
def nothing_stays():
    """Gives whose containers are looked for, the program and a name for a container that is kept. It has to serve
    further runs whatever happened to those before."""
    kept = new_name("kept")
    before = volumes()
    owners = Owners()
    path = save(PROGRAM)
    RUNTIME.mkdir(mode=0o700, exist_ok=True)
    with removed(kept):
        yield owners, path, kept
        for options in (["--keep", kept], []):
            end_of(owners.start(path, 0, *options), None)
        until(lambda: not owners.containers(), "the removal of all containers")
        until(lambda: not processes_called(GUEST), "the end of all programs")
        answer = subprocess.run([CTL, "container", "remove", kept], env=surroundings(), check=False, capture_output=True)
        equal(answer.returncode, 0, answer.stderr)
    until(lambda: not marked(), "the end of all processes")
    equal(volumes_left(before), set(), "volumes that are left")
    equal([str(found) for found in CACHE.glob("fumehood/containers/*")], [], "folders that are left")


def starts(owners, path, options):
    """A run whose program goes on until something is killed, and how to wait until it is there."""
    before = set(processes_called(GUEST))
    process = owners.start(path, 30, *options)
    return process, lambda: until(lambda: set(processes_called(GUEST)) - before, "the program")


def known_moments():
    with nothing_stays() as (owners, path, kept):
        for options in ([], ["--keep", kept]):
            # The client that talks, at once, and when the program is there.
            process, _ = starts(owners, path, options)
            kill_child(process, talks, lambda: None)
            end_of(process, "client")
            process, is_there = starts(owners, path, options)
            kill_child(process, talks, is_there)
            end_of(process, "client")
            # Fumehood itself, when the program is there.
            process, is_there = starts(owners, path, options)
            is_there()
            kill(process.pid)
            end_of(process, "owner")
        # The very first call, and Fumehood itself while the engine makes a container.
        process, _ = starts(owners, path, [])
        kill_child(process, any_call, lambda: None)
        end_of(process, "call")
        process, _ = starts(owners, path, [])
        until(lambda: children(process.pid, talks), "the client that talks")
        kill(process.pid)
        end_of(process, "owner")


@at_length
def fifty_runs():
    dice = random.Random(SEED)
    victims = dict(zip(dice.sample(range(RUNS), KILLED), ["client", "call", "owner"] * 4))
    print(f"# seed {SEED}", flush=True)
    with nothing_stays() as (owners, path, kept):
        for number in range(RUNS):
            one_run(owners, path, dice, victims.get(number), ["--keep", kept] if number % 5 == 4 else [])


if __name__ == "__main__":
    sys.exit(main({
        "killed at known moments, they leave nothing": known_moments,
        "fifty runs, ten of them killed, leave nothing": fifty_runs,
    }))
