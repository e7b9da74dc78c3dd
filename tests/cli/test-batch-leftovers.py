# SPDX-License-Identifier: GPL-3.0-or-later
"""Hundreds of programs, one in ten of them hostile, as copies of warm interpreters: each has its own verdict, nothing of
any is left, and the last ones cost no more than the first.

With --long: ten thousand.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from batch_room import ENVIRONMENT, IS_LONG, KINDS, PLACE, ROOM, lines, new_output, of_file, words
from leftovers import Processes, descendants, differences
from tap import Tap, equal, must

# Of what one of them leaves.
NAME, NUMBER = "fh-left", 0x4648

TEMPORARY = ROOM / "temporary"
TEMPORARY.mkdir()
ENVIRONMENT["TMPDIR"] = str(TEMPORARY)

# With the ways in which each may end: status, exit code, signal.
HOSTILE = {
    "bomb": ("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
             {("timed-out", None, signal.SIGTERM), ("timed-out", None, signal.SIGKILL)}),
    "sleeper": ("import time\ntime.sleep(600)\n", {("timed-out", None, signal.SIGTERM)}),
    "hog": ("x = []\nwhile True:\n    x.append(bytearray(1 << 20))\n",
            {("memory-exceeded", None, signal.SIGKILL), ("memory-exceeded", 1, None)}),
    "flood": ("import os\nwhile True:\n    os.write(1, b'x' * 65536)\n", {("output-limit", None, signal.SIGKILL)}),
    "files": ("import os, socket\nkept = []\ntry:\n    while True:\n        kept += socket.socketpair()\n"
              "except OSError:\n    os._exit(7)\n", {("failed", 7, None)}),
    "killer": ("import os, signal\nfor pid in (1, os.getppid(), -1):\n    try:\n        os.kill(pid, signal.SIGKILL)\n"
               "    except OSError:\n        pass\nos._exit(9)\n", {("failed", 9, None)}),
    "crash": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", {("signalled", None, signal.SIGSEGV)}),
    "leaver": (f"import ctypes, os, time\nlibc = ctypes.CDLL(None)\nopen('/dev/shm/{NAME}', 'w').close()\n"
               f"libc.syscall(248, b'user', b'{NAME}', b'data', 4, -4)\nlibc.shmget({NUMBER}, 4096, 0o1777)\n"
               "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)\n"
               "if os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\nos._exit(5)\n", {("failed", 5, None)}),
}
# Ordinary ones need far less of each, even where the machine is slow; what is busy reaches the limit of processor time.
LIMITS = ("--timeout=10", "--cpu-time=1", "--memory=96M", "--processes=12", "--output-limit=1M")


def make_samples(count):
    chance = random.Random(3)
    kinds = list(HOSTILE)
    samples = []
    for number in range(count):
        if number % 10 == 9:
            kind = kinds[number // 10 % len(kinds)]
            samples.append({"id": f"{kind}-{number}", "source": HOSTILE[kind][0]})
        else:
            answer = chance.randrange(1000)
            samples.append({"id": f"good-{number}", "source": f"print({answer} + {number})\n",
                            "expected_stdout": str(answer + number)})
    return samples


def state():
    """What a run could leave on this computer, where other tests are under way."""
    def with_name(path):
        return [line for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines() if NAME in line]
    return {
        "mounts": [line for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
                   if "fumehood-run" in line or str(ROOM) in line or " - tmpfs none " in line],
        "shared memory": [name for name in os.listdir("/dev/shm") if NAME in name],
        "System V": [line for line in Path("/proc/sysvipc/shm").read_text(encoding="ascii").splitlines()
                     if line.split()[0] == str(NUMBER)],
        "keys": with_name("/proc/keys"),
        "temporary files": os.listdir(TEMPORARY),
    }


def cost_of(pid):
    """KiB of memory of its own, and open files."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        return int(text.split("RssAnon:")[1].split()[0]), len(os.listdir(f"/proc/{pid}/fd"))
    except (OSError, IndexError):
        return 0, 0


def runners_of(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def watch(process, output, count):
    """What the largest runner cost in each tenth of the batch."""
    tenths = [(0, 0)] * 10
    done = 0
    with open(output, "rb") as file:
        while process.poll() is None:
            done += file.read().count(b"\n")
            place = min(done * 10 // count, 9)
            for runner in runners_of(process.pid):
                tenths[place] = tuple(map(max, tenths[place], cost_of(runner)))
            time.sleep(0.1)
    return tenths


def check_verdicts(samples, results):
    equal(set(results), {sample["id"] for sample in samples}, "results")
    wrong = {}
    for name, result in results.items():
        kind = name.partition("-")[0]
        end = (result["status"], result["exit_code"], result["signal"])
        if not (result["passed"] if kind == "good" else end in HOSTILE[kind][1]):
            wrong[name] = end
    equal(wrong, {}, "wrong verdicts")


def many(count, options):
    samples = make_samples(count)
    processes, before = Processes(), state()
    output = new_output("left.out")
    output.touch()
    with open(ROOM / "said", "wb") as said, \
         subprocess.Popen(words("--resume", "--jobs", "4", *LIMITS, *options, "--output", output, lines("left.jsonl", samples)),
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said) as process:
        tenths = watch(process, output, count)
    equal(process.returncode, 0, (ROOM / "said").read_text(encoding="utf-8"))
    results = of_file(output)
    check_verdicts(samples, results)
    is_warm = "--cold" not in options
    n_forked = sum(result["forked"] for result in results.values())
    must(n_forked > count * 0.9 if is_warm else n_forked == 0, f"{n_forked} of {count} were forked")
    equal(processes.left_after(), {}, "processes")
    equal(descendants(os.getpid()), set(), "processes")
    equal(differences(before, state()), [], "what is left")
    print(f"# runners in each tenth, KiB and open files: {json.dumps(tenths)}", flush=True)
    if is_warm:
        must(max(tenths[-2:])[0] - max(tenths[1:3])[0] < 1024, f"memory of the runners: {tenths}")
        must(max(files for _, files in tenths[-2:]) - max(files for _, files in tenths[1:3]) <= 12, f"their files: {tenths}")


def main():
    tap = Tap()
    count = 10000 if IS_LONG else 160
    for kind, options in KINDS.items():
        if kind == "warm" or len(KINDS) == 1:
            tap.case(f"{count} programs, {kind}", many, count, options)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
