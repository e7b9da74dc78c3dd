# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference solutions of HumanEval pass within 5 s of processor time and 256 MiB; none does without
its body. With --long all 164 are tried.

The data is HumanEval.jsonl.gz: named by FH_HUMANEVAL, or in a folder beside this project.
"""

import concurrent.futures
import contextlib
import gzip
import json
import os
import sys
from pathlib import Path

import containers
from guarded import IN_CONTAINER, IS_LONG, ROOM, STATE, must_work, reason_to_skip, run
from tap import Tap, equal

LIMITS = ("--cpu-time", "5", "--timeout", "60", "--memory", "256M")
# All of them in one container, where one comes after the other.
KEPT = containers.new_name("humaneval")
WORKERS = 1 if IN_CONTAINER else 3
OPTIONS = (*LIMITS, "--keep", KEPT) if IN_CONTAINER else LIMITS
COUNT = 164
# A part is enough for sanitizers, which see the same code each time, and for what a container could break.
EVERY = 14 if containers.IS_SHORT else 4 if os.environ.get("FH_SANITIZED") else 1
# On this computer a part is enough every day.
EVERY = EVERY if IN_CONTAINER or ROOM or IS_LONG else 8


def data_file():
    root = Path(os.environ.get("FH_SOURCE_ROOT", Path(__file__).resolve().parents[2]))
    named = os.environ.get("FH_HUMANEVAL")
    return Path(named) if named else root.parent / "shared" / "data" / "HumanEval.jsonl.gz"


def tasks(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    equal(len(found), COUNT, "tasks")
    return found[::EVERY]


def program(task, body):
    return "\n".join((task["prompt"] + body, task["test"], f"check({task['entry_point']})", ""))


def statuses(programs):
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(lambda source: run(source, *OPTIONS), programs))


def check(tap, name, found, results, expect_success):
    wrong = [f"{task['task_id']}: {result}" for task, result in zip(found, results)
             if (result.status == "ok") != expect_success]
    right = len(results) - len(wrong)
    tap.note(f"{name}: {right} of {len(results)} as expected, slowest {max(r.elapsed for r in results):.2f} s")
    tap.ok(not wrong and len(results) == len(found), name, wrong[:10])


def try_all(tap, names, found):
    try:
        check(tap, names[0], found, statuses(program(task, task["canonical_solution"]) for task in found), True)
        check(tap, names[1], found, statuses(program(task, "    return None\n") for task in found), False)
    finally:
        if IN_CONTAINER:
            containers.remove(KEPT)


def main():
    tap = Tap()
    path = data_file()
    reason = reason_to_skip()
    names = ("all reference solutions pass", "no solution passes without its body")
    if reason is not None and must_work():
        for name in names:
            tap.ok(False, name, [reason])
    elif reason is not None or not path.is_file():
        for name in names:
            tap.skip(name, reason or f"{path.name} is not here: name it by FH_HUMANEVAL")
    else:
        with ROOM.held() if ROOM else contextlib.nullcontext():
            try_all(tap, names, tasks(path))
    STATE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
