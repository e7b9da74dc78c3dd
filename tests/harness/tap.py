# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what a test saw as TAP, the one format that meson reads from every kind of test.

A test program makes one Tap, reports each check by ok() or case(), and ends with sys.exit(tap.done()).
"""

import sys
import time
import traceback

# A test waits this long, in seconds, for what must happen. All being well it costs nothing, and no slow machine reaches it.
PATIENCE = 120


class Skip(Exception):
    """Raised inside a case that cannot run here; the message says why."""


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def note(self, text):
        """A diagnostic: shown in logs, counted as nothing."""
        for line in str(text).splitlines():
            print(f"# {line}", flush=True)

    def ok(self, passed, name, details=()):
        """One check; `details` are printed when it failed."""
        self.count += 1
        if not passed:
            self.failed += 1
        print(f"{'ok' if passed else 'not ok'} {self.count} {name}", flush=True)
        if not passed:
            for line in details:
                self.note(line)
        return passed

    def skip(self, name, reason):
        self.count += 1
        print(f"ok {self.count} {name} # SKIP {reason}", flush=True)

    def case(self, name, function, *args):
        """Runs a function as one check: it fails by raising."""
        try:
            function(*args)
        except Skip as skip:
            self.skip(name, skip)
        except Exception as error:  # pylint: disable=broad-except
            self.ok(False, name, [f"{type(error).__name__}: {error}", *traceback.format_exc().splitlines()])
            return False
        else:
            self.ok(True, name)
        return True

    def done(self):
        """Prints the plan; the exit status of the program. Nothing checked counts as a failure."""
        print(f"1..{self.count}", flush=True)
        return 0 if self.count > 0 and self.failed == 0 else 1


def must(condition, message):
    """A check inside a case; unlike `assert` it also works under -O."""
    if not condition:
        raise AssertionError(message)


def equal(got, expected, what):
    must(got == expected, f"{what}: expected {expected!r}, got {got!r}")


def until(look, what, pause=0.02):
    """Waits until `look` finds something, and returns that; `what` must happen, or says what is there instead."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        must(time.monotonic() < deadline, f"it did not happen: {what() if callable(what) else what}")
        time.sleep(pause)
    return found


def at_best(measure, is_good, tries=8):
    """A measurement of time on an undisturbed machine: other programs spoil some, a fault spoils all of them."""
    seen = []
    while len(seen) < tries:
        seen.append(measure())
        if is_good(seen[-1]):
            return seen[-1]
    raise AssertionError(f"measured at best: {seen}")


if __name__ == "__main__":
    sys.exit("tap.py is a module of the tests")
