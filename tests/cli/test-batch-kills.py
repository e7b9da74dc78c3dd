# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever is killed, at whatever moment: after --resume every sample has one result, and it is the right one.

Every day a process is killed when another result has been written, or as soon as it is there; with --long there are
hundreds of kills, at random moments.
"""

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import batch_programs
from batch_room import ENVIRONMENT, IS_LONG, KINDS, PLACE, batch, lines, new_output, of_file, words
from tap import Tap, equal, until

VICTIMS = ("client", "runner", "interpreter", "run")


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    except OSError:
        return []


def generations(client):
    """Runners; what they started; and everything below that, the runs of a warm interpreter among it."""
    runners = children(client)
    below = [child for runner in runners for child in children(runner)]
    deeper, level = [], below
    while level:
        level = [child for parent in level for child in children(parent)]
        deeper += level
    return {"client": [client], "runner": runners, "interpreter": below, "run": deeper}


def kill_one(client, victim, chance):
    """True if there was such a process, and it could be killed: one with a user number of its own cannot."""
    candidates = generations(client)[victim]
    if not candidates:
        return False
    try:
        os.kill(chance.choice(candidates), signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def wait_until_gone(pids):
    def left():
        return [pid for pid in pids if Path(f"/proc/{pid}").exists()]

    until(lambda: not left(), lambda: f"the end of {left()}")


def await_moment(process, output, chance):
    """Some time, or until another result has been written."""
    def written():
        return output.stat().st_size if output.exists() else 0

    before = written()
    if IS_LONG:
        time.sleep(chance.uniform(0.01, 0.15))
    else:
        until(lambda: process.poll() is not None or written() > before, "another result")


def survive(options, count, kills):
    problems, samples, expected = batch_programs.make(count)
    problems, samples = lines("problems.jsonl", problems), lines("killed.jsonl", samples)
    output = new_output("killed.out")
    command = words("--resume", "--jobs", "2", "--problems", problems, *options, "--output", output, samples)
    chance = random.Random(5)
    done, turns = dict.fromkeys(VICTIMS, 0), itertools.cycle(VICTIMS)
    seen = set()
    while sum(done.values()) < kills:
        process = subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and sum(done.values()) < kills:
            await_moment(process, output, chance)
            seen.update(generations(process.pid)["runner"])
            victim = chance.choice(VICTIMS) if IS_LONG else next(turns)
            done[victim] += kill_one(process.pid, victim, chance)
        # It was done before there were enough kills.
        if process.wait() == 0:
            check(output, expected)
            output.unlink()
    batch("--resume", "--jobs", "2", "--problems", problems, *options, "--output", output, samples)
    check(output, expected)
    wait_until_gone(seen)
    return done


def survive_starts(options, wanted):
    """Killed as it starts, no program may count as one that has run."""
    samples = lines("starts.jsonl", [{"id": f"n{number}", "source": "x = 1"} for number in range(60)])
    output = new_output("starts.out")
    chance = random.Random(6)
    kills = 0
    while kills < wanted:
        output.unlink(missing_ok=True)
        process = subprocess.Popen(words("--jobs", "2", *options, "--output", output, samples), env=ENVIRONMENT,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            time.sleep(chance.uniform(0, 0.03) if IS_LONG else 0)
            kills += kill_one(process.pid, chance.choice(("interpreter", "run")), chance)
        equal({result["result"] for result in of_file(output).values()} - {"passed", "failed: SIGKILL"}, set(), "results")
    return kills


def check(output, expected):
    """Who kills the program itself from outside gets to see that, as a failure of the program; and who kills its tests,
    and then those of its second attempt."""
    found = of_file(output)
    wrong = {name: result["result"] for name, result in found.items() if result["passed"] != expected[name]
             and result["result"] not in ("failed: SIGKILL", "failed: Where the tests ran: Killed by SIGKILL.")}
    equal((set(found), wrong), (set(expected), {}), "results")


def main():
    tap = Tap()
    for kind, options in KINDS.items():
        tap.case(f"{kind}, at the start", lambda options=options: tap.note(survive_starts(options, 1000 if IS_LONG else 30)))
        tap.case(kind, lambda options=options: tap.note(survive(options, 400 if IS_LONG else 40, 200 if IS_LONG else 8)))
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
