# SPDX-License-Identifier: GPL-3.0-or-later
"""In the real window: how long it takes from the program's own start until its first output is on the screen, and from
the key that runs it, when its sandbox was prepared and when not; and what a prepared sandbox costs while nothing happens.

Usage: first-output.py [ROUNDS]

Each program tells when it began by the clock of this computer, and paints a bar of another height than the last one: a
height is the same wherever the window moves the bar when a hint above it comes or goes. The window's own picture is
looked at whenever something was painted, so what a compositor adds is not counted.
"""

import re
import select
import statistics
import sys
import time
from pathlib import Path

from accessible import extents
from fumehood import fresh_session, running
from measuring import descendants
from prepared import prepared_runner
from waiting import wait_for
from Xlib import X, display as xdisplay
from Xlib.ext import damage

HEIGHTS = 8
# Lines above the bar: a hint that comes and goes moves it by less, so that all of it stays in the strip.
ABOVE = 6
DARK = 100
PROGRAM = f"""import time
begun = time.monotonic_ns()
print('\\n' * {ABOVE} + ('\\u2588' * 20 + '\\n') * (1 + int(begun / 1e9) % {HEIGHTS}) + str(begun), flush=True)
"""
# Where in the output the bars are looked at, in pixels from its left edge: the number below them ends before it.
BAR_X = 160
FRAME_MS = 1000 / 60
IDLE_S = 10


class Strip:
    """A column of pixels through the bars of all lines."""

    def __init__(self, app):
        self.connection = xdisplay.Display(app.session.display.name)
        self.window = self.connection.create_resource_object("window", app.window.id)
        self.connection.damage_query_version()
        self.damage = self.window.damage_create(damage.DamageReportNonEmpty)
        left, _, top, _ = app.session.display.shadow(app.window)
        x, y, _, height = extents(app.get("text", "Output"))
        self.place = (left + x + BAR_X, top + y, 1, height)

    def look(self):
        """The height of the bar: dark pixels, as the row above the output moves into the strip and is not as light."""
        picture = self.window.get_image(*self.place, X.ZPixmap, 0xFFFFFFFF).data
        return sum(picture[i + 1] < DARK for i in range(0, len(picture), 4))

    def changes(self, is_over):
        """(moment, height) of every change of the height until is_over(), which is asked whenever nothing was painted."""
        found = [(0, self.look())]
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if self.connection.pending_events() == 0:
                select.select([self.connection.fileno()], [], [], 0.2)
                if self.connection.pending_events() == 0:
                    if is_over():
                        break
                    continue
            self.connection.next_event()
            now = time.monotonic_ns()
            self.damage_again()
            height = self.look()
            if height != found[-1][1]:
                found.append((now, height))
        return found

    def damage_again(self):
        self.connection.damage_subtract(self.damage)
        self.connection.flush()

    def close(self):
        self.connection.close()


def one_run(app, strip):
    """Milliseconds from the program's start, and from the key; None if the bar is as high as the last one."""
    before = app.output()
    pressed = time.monotonic_ns()
    app.key("ctrl+Return")
    changes = strip.changes(lambda: app.output() not in ("", before))
    app.wait_result("Finished normally.")
    begun = int(re.search(r"\d{6,}", app.output())[0])
    if changes[-1][1] == changes[0][1]:
        return None
    seen = next(moment for moment, height in changes if height == changes[-1][1])
    return (seen - begun) / 1e6, (seen - pressed) / 1e6


def measure(session, rounds, is_prepared):
    session.prepare_runs(is_prepared)
    times = []
    with running(session) as app:
        app.run(PROGRAM)
        app.wait_result("Finished normally.")
        app.session.display.settle(app.window)
        strip = Strip(app)
        while len(times) < rounds:
            last = prepared_runner(app) if is_prepared else None
            time.sleep(1.1)
            found = one_run(app, strip)
            if found is not None:
                times.append(found)
            if is_prepared:
                wait_for(lambda last=last: app.find_runner() != last, "the end of what was prepared")
        strip.close()
        app.quit()
    return times


def switches(pids):
    total = 0
    for pid in pids:
        for status in Path(f"/proc/{pid}/task").glob("*/status"):
            text = status.read_text(encoding="ascii", errors="replace")
            total += sum(int(number) for number in re.findall(r"ctxt_switches:\s*(\d+)", text))
    return total


def ticks(pids):
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total


def idle(session, is_prepared):
    """(switches and ticks of the window, the same of what was prepared) in ten seconds."""
    session.prepare_runs(is_prepared)
    with running(session) as app:
        app.type(PROGRAM)
        # Drafts are written, animations end, and a sandbox that was prepared too early is replaced.
        time.sleep(5)
        runner = prepared_runner(app) if is_prepared else None
        groups = ([app.pid], [runner, *descendants(runner)] if is_prepared else [])
        before = [(switches(pids), ticks(pids)) for pids in groups]
        time.sleep(IDLE_S)
        after = [(switches(pids), ticks(pids)) for pids in groups]
        app.quit()
    return [(b[0] - a[0], b[1] - a[1]) for a, b in zip(before, after)]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print(f"until the first output is on the screen: milliseconds, median (longest) of {rounds}; a frame is {FRAME_MS:.1f}")
    with fresh_session() as session:
        for is_prepared, title in ((True, "prepared"), (False, "not prepared")):
            own, keys = zip(*measure(session, rounds, is_prepared))
            within = sum(value <= FRAME_MS for value in own)
            print(f"{title:14} from the program's start {statistics.median(own):6.1f} ({max(own):.1f}), {within} within a "
                  f"frame; from the key {statistics.median(keys):6.1f} ({max(keys):.1f})", flush=True)
        print(f"\nwhat happens in {IDLE_S} s in which nothing happens: switches of context, and ticks of CPU time")
        for is_prepared, title in ((True, "prepared"), (False, "not prepared")):
            window, waiting = idle(session, is_prepared)
            print(f"{title:14} the window {window[0]}, {window[1]}; what waits {waiting[0]}, {waiting[1]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
