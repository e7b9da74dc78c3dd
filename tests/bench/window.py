# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs: from the start to its first picture, with one tab and with thirty; the memory of the app after
its start, of a tab that is empty and of one that shows a short result; how long many tabs take to turn to the presenter's
view.

Usage: window.py [ROUNDS]

FH_OTHER_APP is the path of an app of another build, which is measured in turn with this one. Memory is what no other
process shares with the app.
"""

import contextlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time
import uuid
from pathlib import Path

from accessible import GLib
from Xlib import X
from Xlib.error import BadDrawable, BadMatch, BadWindow
from display import PaintWatch
from fumehood import Fumehood, fresh_session
from waiting import wait_for

TABS = 10
MANY_TABS = 30
PRESENTED_TABS = 24
MIB = 1 << 20
LOOK_S = 0.002
# The bar at the top and the empty page below it have more than these.
COLORS = 8
# Nothing was painted for so long: the view is complete.
QUIET_S = 0.3
TEXT = "".join(f"value_{number} = {number}  # One of many lines.\n" for number in range(100))
SHORT = 'print("a short result")\n'


def private(pid):
    """Memory in bytes that only this process has."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


class App(Fumehood):
    """The app of some build, which is handled through the bus and the keyboard alone: who walks through the tree of
    accessible objects makes the app keep all of them."""

    def __init__(self, program, session, *arguments):
        self.program = program
        self.begun = time.monotonic()
        super().__init__(session, *arguments)

    def words(self):
        return [self.program]

    def find_root(self):
        return None

    def first_picture(self):
        """Seconds from the start until something was drawn from the top of the window to its bottom."""
        place = self.window.get_geometry()
        while True:
            with contextlib.suppress(BadMatch, BadWindow, BadDrawable):
                pixels = self.window.get_image(place.width // 2, 0, 1, place.height, X.ZPixmap, 0xFFFFFFFF).data
                if len({pixels[i : i + 4] for i in range(0, len(pixels), 4)}) > COLORS:
                    return time.monotonic() - self.begun
            time.sleep(LOOK_S)

    def memory(self):
        self.settle()
        return private(self.pid)

    def is_ready(self):
        """The window is known on the bus only a moment after it is on the screen."""
        with contextlib.suppress(GLib.Error):
            return self.can_run()
        self._actions_owner = None
        return False

    def open(self, file):
        """Hands the file over as a second start of the program does."""
        subprocess.run([self.program, str(file)], env=self.session.environment, stdin=subprocess.DEVNULL, check=True)

    def run_and_record(self, history):
        """Runs what is in front, until the history has it."""
        before = count_runs(history)
        wait_for(self.is_ready, "the Run button")
        self.activate("run")
        wait_for(lambda: count_runs(history) > before, "the entry in the history")


def count_runs(path):
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


@contextlib.contextmanager
def running(program, session, *arguments):
    app = App(program, session, *arguments)
    try:
        yield app
    finally:
        app.kill()


def leave_drafts(session, count):
    folder = session.path("XDG_STATE_HOME") / "fumehood" / "drafts"
    folder.mkdir(parents=True)
    for position in range(count):
        draft = {
            "version": 1, "position": position, "title": None, "path": None, "modified": False, "text": TEXT,
            "language": "python", "interpreter": None, "arguments": "", "standard_input": "", "cursor": 0,
            "limits": {"wall_ms": 30000, "cpu_ms": 0, "memory_bytes": 512 * MIB, "disk_bytes": 256 * MIB,
                       "output_bytes": 0, "processes": 128},
        }
        (folder / f"{uuid.uuid4()}.json").write_text(json.dumps(draft), encoding="utf-8")


def start(program, tabs):
    """Seconds until the first picture, bytes when it rests."""
    with fresh_session() as session:
        if tabs > 1:
            leave_drafts(session, tabs)
        with running(program, session) as app:
            return app.first_picture(), app.memory()


def empty_tabs(program):
    """Bytes for each further tab."""
    with fresh_session() as session, running(program, session) as app:
        wait_for(app.is_ready, "the Run button")
        app.activate("new-tab")
        before = app.memory()
        for _ in range(TABS):
            app.activate("new-tab")
            app.settle()
        return (app.memory() - before) / TABS


def results(program):
    """Bytes for each further tab that has run something, and seconds from the key to the last picture of the presenter's
    view with many of them."""
    with fresh_session() as session:
        folder = session.folder / "programs"
        folder.mkdir()
        files = [folder / f"{number}.py" for number in range(PRESENTED_TABS)]
        for file in files:
            file.write_text(SHORT, encoding="utf-8")
        history = session.path("XDG_STATE_HOME") / "fumehood" / "history.db"
        with running(program, session, str(files[0])) as app:
            app.run_and_record(history)
            before = app.memory()
            for file in files[1:]:
                app.open(file)
                app.run_and_record(history)
            each = (app.memory() - before) / (len(files) - 1)
            return each, turn_to_presenter(app)


def turn_to_presenter(app):
    app.settle()
    watch = PaintWatch(app.session.display.name, app.window)
    begun = time.monotonic()
    app.session.display.key("shift+F11")
    app.settle()
    watch.stop()
    times = [moment - begun for moment in watch.times if moment > begun]
    return next((moment for moment, following in zip(times, [*times[1:], 1e9]) if following - moment > QUIET_S), 0)


def measure(program):
    """One round: {row: value}, in the order of the table."""
    one, memory = start(program, 1)
    many, many_memory = start(program, MANY_TABS)
    result, presenter = results(program)
    return {
        "start to the first picture, ms": one * 1000,
        f"with {MANY_TABS} tabs of 100 lines, ms": many * 1000,
        "memory after the start, MiB": memory / MIB,
        f"with {MANY_TABS} tabs of 100 lines, MiB": many_memory / MIB,
        "an empty tab, MiB": empty_tabs(program) / MIB,
        "a tab with a short result, MiB": result / MIB,
        f"presenter's view of {PRESENTED_TABS} tabs, ms": presenter * 1000,
    }


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    programs = [os.environ["FH_APP"], *filter(None, [os.environ.get("FH_OTHER_APP")])]
    found = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            found[program].append(measure(program))
    for row in found[programs[0]][0]:
        medians = [statistics.median(values[row] for values in found[program]) for program in programs]
        ratio = f"  {medians[0] / medians[1]:6.2f}" if len(medians) > 1 else ""
        print(f"{row:42}" + "".join(f"{median:8.1f}" for median in medians) + ratio, flush=True)


if __name__ == "__main__":
    main()
