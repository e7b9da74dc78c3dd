# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that write without end, each in a way of its own, and what is seen when one of them is stopped."""

import contextlib
import json
import os
import select
import threading
import time
import uuid

from accessible import spoken
from display import PaintWatch
from measuring import MIB, descendants
from waiting import wait_for

# `yes` at full speed, twice to each stream.
PROCESSES = """\
import os, time
for number in range(4):
    if os.fork() == 0:
        if number % 2:
            os.dup2(2, 1)
        os.execvp("yes", ["yes", f"process {number} writes this line"])
while True:
    time.sleep(1)
"""
FLOODS = {
    "long lines": "while True: print('x' * 1000)\n",
    "short lines": "import sys\nwhile True: sys.stdout.write('y\\n' * 1000)\n",
    "one endless line": "import sys\nwhile True: sys.stdout.write('z' * 4096)\n",
    "processes, both streams": PROCESSES,
}
AT_REST_S = 0.3


def leave_draft(session, text, wall_ms):
    """A tab whose output has no limit, as a crash would have left it."""
    folder = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
    folder.mkdir(parents=True)
    draft = {
        "version": 1, "position": 0, "title": None, "path": None, "modified": False, "text": text,
        "language": "python", "interpreter": None, "arguments": "", "standard_input": "", "cursor": 0,
        "limits": {"wall_ms": wall_ms, "cpu_ms": 0, "memory_bytes": 512 * MIB, "disk_bytes": 256 * MIB,
                   "output_bytes": 0, "processes": 128},
    }
    (folder / f"{uuid.uuid4()}.json").write_text(json.dumps(draft), encoding="utf-8")


def opened(pids):
    """Descriptors of those processes that are still there."""
    fds = set()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            fds.add(os.pidfd_open(pid))
    return fds


class Deaths(threading.Thread):
    """Notes when the last process below a runner died."""

    def __init__(self, runner):
        super().__init__(daemon=True)
        self.poll = select.poll()
        self.fds = wait_for(lambda: opened(descendants(runner)), "a program")
        for fd in self.fds:
            self.poll.register(fd, select.POLLIN)
        self.time = None
        self.start()

    def run(self):
        while self.fds:
            for fd, _ in self.poll.poll():
                self.poll.unregister(fd)
                self.fds.remove(fd)
                os.close(fd)
        self.time = time.monotonic()


class Stop:
    """One Stop by its key: the moments at which it was pressed, every process was dead, the window told the end, and
    nothing in the window moved any more. Not by the button: GTK holds a button that is pressed through accessibility
    down for a quarter of a second."""

    def __init__(self, app, line):
        deaths, paints = Deaths(app.runner()), PaintWatch(app.session.display.name, app.window)
        self.key = time.monotonic()
        app.key("shift+F5")
        try:
            wait_for(lambda: spoken(line).startswith("Stopped by you"), "the end", interval=0.003)
            self.word = time.monotonic()
            deaths.join()
            wait_for(lambda: time.monotonic() - max(paints.times, default=self.word) > AT_REST_S,
                     "the window to rest", 60)
        finally:
            paints.stop()
        self.death = deaths.time
        self.rest = max([self.word, *paints.times])
        self.paints = sum(self.death < moment < self.word for moment in paints.times)
        wait_for(lambda: not app.is_running(), "the Stop button to rest")
