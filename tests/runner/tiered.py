# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are made in every tier, with a look at what they leave behind."""

import glob
import os
import tempfile

import wire
from tap import must

TIERS = {"A": wire.TIER_A, "A2": wire.TIER_A2, "B": wire.TIER_B, "none": wire.UNPROTECTED}
BUBBLEWRAP = "/usr/bin/bwrap"
# The user's wish to go without protection takes these along.
GUARDED = ("A", "A2", "B")


def in_tiers(check, names=tuple(TIERS)):
    """Runs a check in each of these tiers, with a folder for caches of its own, and looks whether
    anything was left there, or running."""
    for name in names:
        if name == "A2" and not os.path.exists(BUBBLEWRAP):
            continue
        with tempfile.TemporaryDirectory() as cache:
            environment = dict(os.environ, XDG_CACHE_HOME=cache)
            check(name, {"tier": TIERS[name], "runner_env": environment})
            left = glob.glob(f"{cache}/fumehood/*")
            must(not left, f"tier {name} left {left}")
        must(not processes_of(MARK), f"tier {name} left {processes_of(MARK)}")


# An argument by which a process of these tests is known.
MARK = f"fumehood-test-{os.getpid()}"


def processes_of(mark):
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                arguments = file.read().split(b"\0")
        except OSError:
            continue
        if mark.encode() in arguments:
            found.append((path, arguments))
    return found
