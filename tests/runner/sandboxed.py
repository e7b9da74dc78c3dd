# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the runner have in common: where it is, whether it can run here, and checks."""

import os
import sys
import textwrap
from pathlib import Path

import wire
from tap import Skip, Tap, equal, must

PROGRAM = os.environ.get("FH_RUNNER", "fumehood-runner")
MUST_SANDBOX = os.environ.get("FH_MUST_SANDBOX") == "1"
SANITIZED = os.environ.get("FH_SANITIZED") == "1"
PYTHON = "/usr/bin/python3"
# The suite soak tries more often what depends on chance.
IS_LONG = "--long" in sys.argv


# The child of this program begins when the program has ended with 7.
LATE = """
import os, time
main = os.getpid()
r, w = os.pipe()
if os.fork() == 0:
    os.close(w)
    os.read(r, 1)
    %s
print('main is done', flush=True)
os._exit(7)
"""


def must_be_counted():
    if int(Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii")) > 2:
        raise Skip("the kernel does not count for this user")


def times(few, many):
    return range(many if IS_LONG else few)


def run(argv, **limits):
    return wire.run(PROGRAM, argv, **limits)


def python(code, *arguments, **limits):
    return run([PYTHON, "-c", textwrap.dedent(code), *arguments], **limits)


def shell(code, **limits):
    return run(["/bin/sh", "-c", textwrap.dedent(code)], **limits)


def start(argv, **limits):
    """A runner that goes on while the test does something."""
    runner = wire.Runner(PROGRAM, limits.pop("runner_env", None))
    runner.start(argv, **limits)
    return runner


def has_own_user(result):
    """Whether the guest had a user number of its own."""
    return "own user number" in result.guards["privileges"][1]


def ended(result, status, cause="", exit_code=None, signal=None):
    must(result.finished, str(result))
    must((result.status, result.cause) == (status, cause), f"expected {status} {cause}: {result}")
    if exit_code is not None:
        must(result.exit_code == exit_code, f"expected exit code {exit_code}: {result}")
    if signal is not None:
        must(result.signal == signal, f"expected signal {signal}: {result}")
    equal(result.exit_status, 0, "exit status of the runner")


def prints(result, text, exit_code=0):
    ended(result, "exited", exit_code=exit_code)
    must(result.stdout.decode() == text, f"expected {text!r}: {result}")


def why_not():
    """Why no sandbox can be made here, or None."""
    if os.geteuid() == 0:
        return "root hides half of the faults of a sandbox; run this as an ordinary user"
    result = run([], flags=wire.PROBE)
    if result.status == "setup-failed":
        return f"no sandbox here: {result.step}: {os.strerror(result.error)}"
    return None


def no_projects():
    """Why no project folder can be mounted on this kernel, or None."""
    release = tuple(int(part) for part in os.uname().release.split(".")[:2])
    return None if release >= (6, 6) else "before Linux 6.6 a tmpfs cannot hold the layer over a project"


def main(module, not_here=None):
    """Runs all functions of a module whose names begin with "test_", unless there is a reason why not."""
    tap = Tap()
    if not_here:
        print(f"1..0 # SKIP {not_here}")
        return 0
    reason = why_not()
    if reason is not None and not MUST_SANDBOX:
        print(f"1..0 # SKIP {reason}")
        return 0
    tap.ok(reason is None, "a sandbox can be made here", [reason])
    for name, function in list(vars(sys.modules[module]).items()):
        if name.startswith("test_"):
            tap.case(name[5:].replace("_", " "), function)
    return tap.done()
