# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a program that a test has started, wherever it hides: processes, above all."""

import ctypes
import os
import sys
import time
from pathlib import Path


class Processes:
    """Everything that descends from this program: orphans are given to it, wherever they hide."""

    PR_SET_CHILD_SUBREAPER = 36

    def __init__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(self.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")
        self.known = set()

    def left(self):
        """Those that live and are not known; zombies are taken away."""
        found = {}
        for pid in descendants(os.getpid()) - self.known:
            try:
                ended, _ = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                ended = 0
            state = state_of(pid)
            if not ended and state is not None:
                found[pid] = state
        return found

    def left_after(self, seconds=2.0):
        deadline = time.monotonic() + seconds
        while self.left() and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.left()

    def kill_left(self):
        for _ in range(20):
            left = self.left()
            if not left:
                return
            for pid in left:
                try:
                    os.kill(pid, 9)
                except OSError:
                    pass
            time.sleep(0.02)


def descendants(pid):
    """Of all threads: whoever was started by one of them, and by those."""
    found = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = {int(word) for word in path.read_text().split()}
        except OSError:
            continue
        found |= children
        for child in children:
            found |= descendants(child)
    return found


def state_of(pid):
    """Its state and its command, None when it ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return None if state in "ZX" else f"{state} {command}"


def differences(before, after):
    return [f"{key}: {before.get(key)} is now {after.get(key)}"
            for key in sorted({*before, *after}) if before.get(key) != after.get(key)]


if __name__ == "__main__":
    sys.exit("leftovers.py is a module of the tests")
