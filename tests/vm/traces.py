# SPDX-License-Identifier: GPL-3.0-or-later
"""What the system knows of a run while it is under way, and what is left of it afterwards."""

import contextlib
import os
import subprocess
import time
from pathlib import Path

from leftovers import is_own, own_users
from runs import SLOW
from tap import equal

CGROUPS = Path("/sys/fs/cgroup")


def groups():
    return [folder for folder, _, _ in os.walk(CGROUPS) if "fumehood" in folder.lower()]


def units():
    listed = subprocess.run(["systemctl", "--user", "list-units", "--all", "--plain", "--no-legend",
                             "io.github.fumehood.*"], capture_output=True, text=True, check=False)
    return listed.stdout.splitlines()


def processes():
    """All of this user's but this one and its parents, by number, with their command lines."""
    found = {}
    users = own_users()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if is_own(folder.name, users):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found


def mounts():
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8")


class Traces:
    """What there was before; nothing else may be there afterwards."""

    def __init__(self):
        self.mounts = mounts()
        self.processes = processes()

    def new_processes(self):
        return {pid: line for pid, line in processes().items() if pid not in self.processes}

    def sleepers(self):
        """Counts the processes of Python since then that have nothing to do."""
        count = 0
        for pid, line in self.new_processes().items():
            try:
                state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0]
            except OSError:
                continue
            count += state == "S" and "python" in line.partition(" ")[0]
        return count

    def check(self, has_systemd=True):
        deadline = time.monotonic() + SLOW
        while (groups() or self.new_processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        equal(groups(), [], "control groups")
        equal(self.new_processes(), {}, "processes")
        equal(mounts(), self.mounts, "mounts")
        if has_systemd:
            equal(units(), [], "units")


def wait_for(condition, what):
    deadline = time.monotonic() + 2 * SLOW
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"there is no {what}")


def running_leaf():
    """The control group of the only run, once its program runs there."""
    for folder in groups():
        leaf = Path(folder)
        # It may end meanwhile.
        with contextlib.suppress(OSError):
            if leaf.name == "run" and len((leaf / "cgroup.procs").read_text(encoding="ascii").split()) >= 2:
                return leaf
    return None


def read(leaf, name):
    return (leaf / name).read_text(encoding="ascii").strip()
