# SPDX-License-Identifier: GPL-3.0-or-later
"""A runner that is told to be in a sub-sandbox believes nothing: outside of one it builds nothing, starts nothing, kills
nothing. Inside is tested in tests/flatpak."""

import errno
import os
import subprocess
import sys
import tempfile

import wire
from sandboxed import main, run
from tap import equal, must


def proof(path):
    status = os.stat(path)
    return path, status.st_dev, status.st_ino


def test_outside():
    """The next thing that it would do is to kill every process that it can."""
    bystander = subprocess.Popen(["sleep", "600"])
    try:
        with tempfile.TemporaryDirectory(prefix="fh-sub-") as folder:
            for flags in (0, wire.PROBE):
                result = run([] if flags else ["/bin/sh", "-c", "echo ran"], flags=flags, tier=wire.TIER_F,
                             proofs=[proof(folder)])
                equal((result.status, result.step, result.error), ("setup-failed", "sub-sandbox", errno.EXDEV),
                      f"outside, flags {flags}")
                must(not result.started and not result.output, f"something ran: {result}")
                equal(os.listdir(folder), [], "the folder")
        equal(bystander.poll(), None, "another program of the user's")
    finally:
        bystander.kill()
        bystander.wait()


if __name__ == "__main__":
    sys.exit(main(__name__))
