# SPDX-License-Identifier: GPL-3.0-or-later
"""In the real window: how long it takes from the program's own start until its first output is on the screen, and from
the key that runs it, when its sandbox was prepared and when not; and what a prepared sandbox costs while nothing happens.

Usage: first-output.py [ROUNDS]

Each program tells when it began by the clock of this computer, and paints a bar in another line than the last one. The
window's own picture is looked at whenever something was painted, so what a compositor adds is not counted.
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

LINES = 8
PROGRAM = f"""import time
begun = time.monotonic_ns()
print('\\n' * (int(begun / 1e9) % {LINES}) + '\\u2588' * 20, begun, flush=True)
"""
# Where in the output the bars are, in pixels from its left edge.
BAR_X = 40
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
        return self.window.get_image(*self.place, X.ZPixmap, 0xFFFFFFFF).data

    def wait(self, seconds):
        """When the strip was seen changed to a picture with a bar; None if that did not happen."""
        before, empty = self.look(), None
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.connection.pending_events() == 0:
                select.select([self.connection.fileno()], [], [], 0.05)
                if self.connection.pending_events() == 0:
                    continue
            self.connection.next_event()
            now = time.monotonic_ns()
            self.damage_again()
            picture = self.look()
            if picture != before and has_bar(picture):
                return now
        return empty

    def damage_again(self):
        self.connection.damage_subtract(self.damage)
        self.connection.flush()

    def close(self):
        self.connection.close()


def has_bar(picture):
    """A bar is higher than any letter's stroke is wide: rows of one color that is not the background's."""
    pixels = [picture[i:i + 3] for i in range(0, len(picture), 4)]
    background = max(set(pixels), key=pixels.count)
    return sum(pixel != background for pixel in pixels) >= 10


def one_run(app, strip):
    """Milliseconds from the program's start, and from the key; None if two bars were in the same line."""
    pressed = time.monotonic_ns()
    app.key("ctrl+Return")
    seen = strip.wait(5)
    app.wait_result("Finished normally.")
    begun = int(re.search(r"\u2588 (\d+)", app.output())[1])
    if seen is None or seen < begun:
        return None
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
        runner = prepared_runner(app) if is_prepared else None
        # Drafts are written, animations end.
        time.sleep(5)
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
