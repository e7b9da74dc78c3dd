# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the virtual machine, as an ordinary user: what fumehoodctl says of runs there, and what is
left of them. The argument is how that user came there."""

import sys
import time

import with_systemd
import without_systemd
from tap import Tap

KINDS = {
    "application": with_systemd.APPLICATION,
    "login": with_systemd.LOGIN,
    "without-systemd": without_systemd.ALL,
}


def main():
    tap = Tap()
    kind = sys.argv[1]
    for function in KINDS[kind]:
        begun = time.monotonic()
        name = function.__name__[len("test_"):].replace("_", " ")
        tap.case(f"{kind}: {name}", function)
        tap.note(f"{time.monotonic() - begun:.1f} s")
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
