# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a program that a test has started, wherever it hides: processes, above all."""

import contextlib
import ctypes
import os
import pwd
import sys
import time
from pathlib import Path

from tap import PATIENCE


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
        for pid in descendants(os.getpid(), self.known):
            try:
                ended, _ = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                ended = 0
            state = state_of(pid)
            if not ended and state is not None:
                found[pid] = state
        return found

    def left_after(self, seconds=PATIENCE):
        """Returns what is left at last of what is about to end."""
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


def descendants(pid, known=frozenset()):
    """Of all threads: their children and further descendants; without the known ones and theirs."""
    found = set()
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        try:
            children = {int(word) for word in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()} - known
        except OSError:
            continue
        found |= children
        for child in children:
            found |= descendants(child, known)
    return found


def own_users():
    """The user's number, and those that he may give to others, subuid (5), as ranges."""
    user = pwd.getpwuid(os.getuid())
    ranges = [range(user.pw_uid, user.pw_uid + 1)]
    try:
        lines = [line.split(":") for line in Path("/etc/subuid").read_text().splitlines()]
    except OSError:
        return ranges
    return ranges + [range(int(fields[1]), int(fields[1]) + int(fields[2])) for fields in lines
                     if fields[0] in (user.pw_name, str(user.pw_uid))]


def is_own(pid, users):
    """Whether a process runs as one of these; OSError when it is gone."""
    status = Path(f"/proc/{pid}/status").read_text(errors="replace")
    user = int(status.partition("\nUid:")[2].split()[0])
    return any(user in some for some in users)


def state_of(pid):
    """Its state and its command, None when it ended. One whose main thread has ended is no zombie, whatever its
    state says, as long as it has other threads: proc(5), num_threads."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        state, threads = fields[0], int(fields[17])
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return None
    return None if state in "ZX" and threads <= 1 else f"{state} {threads} {command}"


def counters_of(pid):
    """Returns how many counters of the kernel a process has open, which may close other files meanwhile."""
    count = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            count += "[perf_event]" in os.readlink(descriptor)
    return count


def differences(before, after):
    return [f"{key}: {before.get(key)} is now {after.get(key)}"
            for key in sorted({*before, *after}) if before.get(key) != after.get(key)]


if __name__ == "__main__":
    sys.exit("leftovers.py is a module of the tests")
