# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a user manager: limits for each process, and looking."""

from forked_runs import batch
from runs import ended, guards_of, run, told
from tap import equal, must
from with_systemd import FORKS, end_the_stubborn


def test_the_weaker_guard_is_told():
    result = run("print('hello')")
    ended(result, "ok")
    guard = guards_of(result)["memory"]
    equal((guard["level"], guard["reason"]), ("degraded", "no-cgroup"), "memory")
    must("pids.max" not in guards_of(result)["processes"]["layers"], guards_of(result)["processes"])


def test_the_weaker_guard_of_copies_is_told():
    for result in batch({"one": "print(1)", "two": "print(2)"}).values():
        must(result["forked"], told(result))
        guard = guards_of(result)["memory"]
        equal((guard["level"], guard["reason"]), ("degraded", "no-cgroup"), "memory")


def test_too_much_at_once_is_the_programs_word():
    result = run("x = bytearray(300 << 20); print('no')", "--memory=64M")
    ended(result, "memory-exceeded", "said")


def test_memory_of_children_is_sampled():
    result = run("""
        import os, time
        for i in range(8):
            if os.fork() == 0:
                x = b"x" * (30 << 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(60)
        print("no")
        """, "--memory=100M")
    equal(result["status"], "memory-exceeded", "status")
    must(result["cause"] in ("certain", "likely"), told(result))


def test_too_many_processes_all_the_same():
    result = run(FORKS + "raise SystemExit(3)", "--processes=9")
    equal((result["status"], result["cause"], result["exit_code"]), ("failed", "processes", 3), "nobody counts refusals")
    equal(result["stdout"], "8 11\n", "children and errno")


def test_nothing_is_left():
    end_the_stubborn(has_systemd=False)


ALL = [value for name, value in list(globals().items()) if name.startswith("test_")]
