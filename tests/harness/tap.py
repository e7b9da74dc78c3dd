# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what a test saw as TAP, the one format that meson reads from every kind of test.

A test program makes one Tap, reports each check by ok() or case(), and ends with sys.exit(tap.done()).
"""

import sys
import traceback


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


if __name__ == "__main__":
    sys.exit("tap.py is a module of the tests")
