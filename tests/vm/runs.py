# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of fumehoodctl in the virtual machine, and what its JSON says of them."""

import json
import os
import signal
import subprocess
import textwrap
from pathlib import Path

from tap import must

HERE = Path(__file__).parent
MIB = 1 << 20
# An emulated processor is up to twenty times as slow as a real one, which may be a slow or a busy one itself.
SLOW = 100

ENVIRONMENT = {
    **os.environ,
    "FH_RUNNER": str(HERE / "fumehood-runner"),
    "FH_DATA_DIR": str(HERE / "data"),
    "LD_LIBRARY_PATH": str(HERE / "lib"),
}

# What a program can know of control groups, in five lines.
INSIDE = """
    import ctypes, os
    print(open("/proc/self/cgroup").read().strip())
    print(os.path.exists("/sys/fs/cgroup"), os.path.exists("/sys"))
    print(" - cgroup" in open("/proc/self/mountinfo").read())
    libc = ctypes.CDLL(None, use_errno=True)
    print(libc.mount(b"none", b"/tmp", b"cgroup2", 0, None), ctypes.get_errno() in (1, 38))
    found = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if int(n) > 3
             and os.path.exists(f"/proc/self/fd/{n}")]
    print([name for name in found if "cgroup" in name])
    """

STARTED = []


def start(code, *options):
    process = subprocess.Popen(
        [HERE / "fumehoodctl", "run", "--json", "--no-history", "--language=python", *options, "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=ENVIRONMENT, cwd="/")
    process.stdin.write(textwrap.dedent(code))
    process.stdin.close()
    process.stdin = None
    STARTED.append(process)
    return process


def end_all():
    """What a check that failed has left running would be in the way of the next one."""
    while STARTED:
        process = STARTED.pop()
        if process.poll() is None:
            process.kill()
            process.communicate()


def finish(process):
    output, errors = process.communicate(timeout=10 * SLOW)
    must(output, f"fumehoodctl said nothing but: {errors}")
    return json.loads(output)


def run(code, *options):
    return finish(start(code, "--timeout=500", *options))


def guards_of(result):
    return {guard["guard"]: guard for guard in result["guards"]}


def told(result):
    """What a failed check has to show."""
    keys = ["status", "cause", "exit_code", "signal", "stdout", "stderr", "memory_peak", "processes_peak",
            "wall_us", "cpu_user_us", "cpu_system_us", "message"]
    return {key: result.get(key) for key in keys}


def ended(result, status, cause=None):
    must((result["status"], result["cause"]) == (status, cause),
         f"expected {status} {cause}: {told(result)}")


def over_memory(result):
    ended(result, "memory-exceeded", "certain")
    must(result["memory_exceeded"] is True and result["signal"] == 9, told(result))


def interrupt_twice(process):
    """The second time asks for an end at once."""
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)


def near(value, low, high, what):
    must(low <= value <= high, f"{what}: {value} is not between {low} and {high}")
