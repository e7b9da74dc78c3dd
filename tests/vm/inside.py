# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in the virtual machine, as an ordinary user: what fumehoodctl says of runs there, and what is
left of them. The argument is how that user came there."""

import sys
import time

import forked_runs
import other_tiers
import shared_with_all
import with_systemd
import without_systemd
from runs import end_all
from tap import Tap

TIERS = ["A2", "B"]

KINDS = {
    "application": with_systemd.APPLICATION + forked_runs.ALL + shared_with_all.ALL,
    "login": with_systemd.LOGIN + forked_runs.LOGIN,
    "without-systemd": without_systemd.ALL,
}


def main():
    tap = Tap()
    kind = sys.argv[1]
    for function in KINDS[kind]:
        begun = time.monotonic()
        name = function.__name__[len("test_"):].replace("_", " ")
        tap.case(f"{kind}: {name}", function)
        end_all()
        tap.note(f"{time.monotonic() - begun:.1f} s")
    for tier in TIERS if kind == "application" else []:
        for function in other_tiers.CHECKS:
            tap.case(f"tier {tier}: {function.__name__[len('check_'):].replace('_', ' ')}", function, tier)
            end_all()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
