# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program costs while something happens, measured from outside: memory and stalls."""

import threading
import time
from pathlib import Path

from accessible import Gio, GLib, accessibility_bus, bus_name

MIB = 1 << 20


def resident(pid):
    """Resident memory of one process in bytes; 0 once it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def command_name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def children(pid):
    """Direct children of all threads of a process."""
    found = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(number) for number in listing.read_text(encoding="ascii").split()]
        except OSError:
            continue
    return found


def descendants(pid):
    for child in children(pid):
        yield child
        yield from descendants(child)


def runners_of(pid):
    """The supervisors of the runners below a process."""
    return [child for child in children(pid) if command_name(child).startswith("fumehood-runne")]


def runner_of(pid):
    """The first of them, or None."""
    return next(iter(runners_of(pid)), None)


class MemoryWatch(threading.Thread):
    """The peak of each named process, sampled every 10 ms."""

    def __init__(self, pids):
        super().__init__(daemon=True)
        self.peaks = {name: (pid, resident(pid)) for name, pid in pids.items()}
        self.ended = threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.01):
            for name, (pid, peak) in self.peaks.items():
                self.peaks[name] = (pid, max(peak, resident(pid)))

    def stop(self):
        """{name: peak in bytes}"""
        self.ended.set()
        self.join()
        return {name: peak for name, (_, peak) in self.peaks.items()}


def queued(pid):
    """Seconds that the main thread of a process has waited for a processor; 0 where the kernel does not count them."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:
        return 0


class Pulse(threading.Thread):
    """Asks a program something small every 20 ms. The answer comes from its main loop, so the
    longest wait is its longest stall, but for the time in which others had the processors."""

    INTERVAL = 0.02

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.bus = pid, accessibility_bus()
        self.owner = bus_name(self.bus, pid)
        self.times = []
        self.ended = threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(self.INTERVAL):
            before = time.monotonic() - queued(self.pid)
            try:
                self.bus.call_sync(
                    self.owner, "/org/a11y/atspi/accessible/root", "org.freedesktop.DBus.Properties", "Get",
                    GLib.Variant("(ss)", ("org.a11y.atspi.Accessible", "ChildCount")), None,
                    Gio.DBusCallFlags.NONE, 30000, None,
                )
            except GLib.Error:
                break
            self.times.append(time.monotonic() - queued(self.pid) - before)

    def stop(self):
        """(median, longest) answer in seconds."""
        self.ended.set()
        self.join()
        ordered = sorted(self.times) or [float("inf")]
        return ordered[len(ordered) // 2], ordered[-1]
