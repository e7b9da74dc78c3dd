# SPDX-License-Identifier: GPL-3.0-or-later
"""Sandboxes that are made of something else than namespaces of our own have the same control group."""

import os

from runs import MIB, ended, guards_of, near, over_memory, run
from tap import Skip, equal, must
from with_systemd import FORKS, end_the_stubborn


def in_tier(tier, code, *options):
    release = tuple(int(number) for number in os.uname().release.split(".")[:2])
    # Landlock's fourth version is the first that limits TCP.
    if tier == "B" and release < (6, 7):
        raise Skip(f"Linux {os.uname().release} is too old for it")
    result = run(code, f"--tier={tier}", *options)
    equal(result["tier"], tier, "tier")
    return result


def check_guards(tier):
    result = in_tier(tier, "print('hello')")
    ended(result, "ok")
    guards = guards_of(result)
    equal(guards["memory"]["level"], "active", "memory")
    must("memory.max" in guards["memory"]["layers"], guards["memory"])
    must("pids.max" in guards["processes"]["layers"], guards["processes"])


def check_memory(tier):
    result = in_tier(tier, "x = bytearray(300 << 20); print('no')", "--memory=64M")
    over_memory(result)
    near(result["memory_peak"], 62 * MIB, 64 * MIB, "peak")


def check_processes(tier):
    result = in_tier(tier, FORKS + "raise SystemExit(3)", "--processes=9")
    ended(result, "process-limit")
    equal(result["stdout"], "8 11\n", "children and errno")


def check_cpu_time(tier):
    result = in_tier(tier, """
        import os
        while True:
            if os.fork() == 0:
                for i in range(200_000):
                    pass
                os._exit(0)
            os.wait()
        """, "--cpu-time=3")
    ended(result, "timed-out", "cpu")
    near(result["cpu_user_us"] + result["cpu_system_us"], 3_000_000, 9_000_000, "CPU time")


def check_end(tier):
    in_tier(tier, "pass")
    near(end_the_stubborn(f"--tier={tier}")["processes_peak"], 26, 26, "processes")


def check_reach(tier):
    # The user's own groups would be the user's to change.
    result = in_tier(tier, """
        import os
        def attempt(path):
            try:
                with open(path, "w") as file:
                    file.write("max")
            except OSError:
                return False
            return True
        group = "/sys/fs/cgroup" + open("/proc/self/cgroup").read().strip()[3:]
        print(attempt(group + "/memory.max"))
        """)
    must(result["stdout"] in ("False\n", ""), result)
    must(result["stdout"] or "PermissionError" in result["stderr"], result)


CHECKS = [check_guards, check_memory, check_processes, check_cpu_time, check_end, check_reach]
