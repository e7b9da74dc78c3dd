# SPDX-License-Identifier: GPL-3.0-or-later
"""However runs end, nothing of them is left: no process, no mount, no file.

60 runs, with --long 1000, four at a time, end by themselves, by a limit, by a signal, because their reader goes away, or by
SIGKILL of fumehoodctl or of the runner at a random moment. FH_SEED repeats an order; FH_RUNS sets another number.
"""

import concurrent.futures
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

from guarded import CTL, STATE, environment, must, reason_to_skip, save
from leftovers import is_own, own_users
from tap import PATIENCE, Tap, until

RUNS = int(os.environ.get("FH_RUNS") or (1000 if "--long" in sys.argv else 60))
SEED = int(os.environ.get("FH_SEED") or random.randrange(1 << 30))
WORKERS = 4

# What stays behind when only the main process ends: children of several kinds, with all signals ignored.
CHILDREN = """
import os, signal, subprocess, sys, time
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
subprocess.Popen(['sleep', '600'], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
open('file', 'w').write('x' * 100000)
print('ready', flush=True)
"""
PROGRAMS = {
    "ends": "print('x' * 1000)\n",
    "fails": "1/0\n",
    "exits while children live": CHILDREN,
    "sleeps with children": CHILDREN + "time.sleep(600)\n",
    "busy": "while True: pass\n",
    "prints": "while True: print('x' * 1000)\n",
    "crashes": "import os; os.abort()\n",
    "wants memory": "x = bytearray(1 << 30)\n",
    "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
}


def children_of(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def kill(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def kill_runner(process):
    for pid in children_of(process.pid):
        kill(pid, signal.SIGKILL)


def interrupt_twice(process):
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)


def close_reader(process):
    process.stdout.close()


ENDS = {
    "by itself or its limit": None,
    "SIGKILL of fumehoodctl": lambda process: process.kill(),
    "SIGKILL of the runner": kill_runner,
    "SIGINT": lambda process: process.send_signal(signal.SIGINT),
    "SIGTERM": lambda process: process.send_signal(signal.SIGTERM),
    "SIGINT twice": interrupt_twice,
    "reader goes away": close_reader,
}


def one(number, runner):
    """The name of the case when its process ended, None when it hung."""
    dice = random.Random(SEED * 1000 + number)
    program = dice.choice(sorted(PROGRAMS))
    end = dice.choice(sorted(ENDS))
    words = [CTL, "run", "--timeout", f"{dice.uniform(0.2, 1.0):.2f}", "--memory", "128M"]
    if dice.random() < 0.7:
        words.append("--no-history")
    process = subprocess.Popen([*words, save(PROGRAMS[program])],
                               env=environment(FH_RUNNER=runner),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    hung = threading.Event()
    watchdog = threading.Timer(PATIENCE, lambda: (hung.set(), process.kill()))
    watchdog.start()
    try:
        if ENDS[end] is not None:
            time.sleep(dice.choice((0.0, dice.uniform(0, 0.03), dice.uniform(0, 0.3))))
            ENDS[end](process)
        while not process.stdout.closed and process.stdout.read1(1 << 16):
            pass
        process.wait()
    finally:
        watchdog.cancel()
        if not process.stdout.closed:
            process.stdout.close()
    return f"run {number} hung: {program}, {end}" if hung.is_set() else None


def own_processes():
    found = {}
    users = own_users()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if not is_own(path.name, users):
                continue
            words = (path / "cmdline").read_bytes()
        except OSError:
            continue
        try:
            found[int(path.name)] = (os.readlink(path / "ns/pid"), words)
        except PermissionError:
            # The kernel does not show it outside its user namespace.
            found[int(path.name)] = ("another", words)
        except OSError:
            continue
    return found


def leaked_processes(before, runner):
    """Those in a process namespace other than ours, and runners outside of one."""
    here = os.readlink("/proc/self/ns/pid")
    return {pid: words for pid, (namespace, words) in own_processes().items()
            if pid not in before and (namespace != here or runner.encode() in words)}


def own_files():
    places = [Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), Path.home()]
    for name in ("TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"):
        if os.environ.get(name):
            places.append(Path(os.environ[name]))
    found = set()
    for place in places:
        try:
            found |= {str(path) for path in place.iterdir() if path.lstat().st_uid == os.getuid()}
        except OSError:
            continue
    return found


def mounts():
    return set(Path("/proc/self/mountinfo").read_text().splitlines())


def history_is_sound():
    path = Path(STATE.name) / "fumehood" / "history.db"
    must(path.is_file(), "no run was kept")
    must(not list(path.parent.glob("*damaged*")), "the history was damaged")
    with sqlite3.connect(path) as database:
        must(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the history is damaged")


def sees_what_lives(before, runner):
    """A check of the check: a run that lives must look like a leak."""
    process = subprocess.Popen([CTL, "run", "--no-history", save("import time; time.sleep(600)\n")],
                               env=environment(FH_RUNNER=runner), stdin=subprocess.DEVNULL)
    try:
        until(lambda: len(leaked_processes(before, runner)) >= 3, "runner, init and program are seen")
    finally:
        process.kill()
        process.wait()


def starts_in(cache):
    """A run in tier B that lives, and the folder that its runner has made for it."""
    process = subprocess.Popen([CTL, "run", "--no-history", "--tier", "B",
                                save("open('data', 'w').write('x')\nprint('ready', flush=True)\nimport time; time.sleep(600)\n")],
                               env=environment(XDG_CACHE_HOME=str(cache)), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    ready = process.stdout.readline()
    process.stdout.close()
    return process, ready == b"ready\n"


def folder_of_a_killed_runner():
    """The client removes it before it ends; that of a run that lives stays, and so do links and what others own."""
    cache = Path(STATE.name) / "cache"
    cache.mkdir()
    other, is_there = starts_in(cache)
    place = cache / "fumehood"
    try:
        must(is_there, "tier B works here")
        lives = set(place.glob("fumehood-run-*"))
        (place / "fumehood-run-link").symlink_to(STATE.name)
        process, _ = starts_in(cache)
        must(len(set(place.glob("fumehood-run-*/workspace/data")) - lives) == 2, "two folders")
        kill_runner(process)
        must(process.wait(timeout=PATIENCE) == 125, "Fumehood failed")
        must(set(place.glob("fumehood-run-*")) == lives | {place / "fumehood-run-link"}, "that of the other run stays")
        must(Path(STATE.name).is_dir(), "a link leads nowhere")
    finally:
        kill_runner(other)
        other.wait()
    must(not list(place.glob("*fumehood-run-*/*/data")), "nothing is left")


def try_all(tap):
    # A name of its own tells our runners from those of others.
    runner = os.path.join(STATE.name, "runner-under-test")
    os.symlink(os.path.realpath(os.environ["FH_RUNNER"]), runner)
    processes, files, mounted = own_processes(), own_files(), mounts()
    tap.case("a run that lives is seen", sees_what_lives, processes, runner)
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        hung = [name for name in pool.map(lambda number: one(number, runner), range(RUNS)) if name]
    tap.note(f"{RUNS} runs in {time.monotonic() - begin:.1f} s, FH_SEED={SEED}")
    tap.ok(not hung, f"each of {RUNS} runs ended", hung)
    # The last one may have been a fork bomb.
    deadline = time.monotonic() + PATIENCE
    while leaked_processes(processes, runner) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = leaked_processes(processes, runner)
    tap.ok(not left, "no process is left", [f"{pid}: {words!r}" for pid, words in left.items()])
    added = mounts() - mounted
    tap.ok(not added, "no mount is left", sorted(added))
    new = own_files() - files
    tap.ok(not new, "no file is left", sorted(new))
    tap.case("the history is sound", history_is_sound)
    tap.case("the folder of a killed runner is removed", folder_of_a_killed_runner)


def main():
    tap = Tap()
    reason = reason_to_skip()
    if reason is None:
        try_all(tap)
    elif os.environ.get("FH_MUST_SANDBOX") == "1":
        tap.ok(False, "leaks", [reason])
    else:
        tap.skip("leaks", reason)
    STATE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
