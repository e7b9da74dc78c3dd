# SPDX-License-Identifier: GPL-3.0-or-later
"""`while True: print('x' * 1000)` for 5 s: memory, stalls, frames and the answer to Stop, all measured
from outside and printed. The bounds are those of a window that stays usable."""

import json
import os
import subprocess
import sys
import time
import uuid

from accessible import name_of
from display import FrameWatch
from fumehood import fresh_session, running
from measuring import MIB, MemoryWatch, Pulse, resident, runner_of
from tap import Tap
from waiting import PATIENCE, SANITIZED, wait_for

FLOOD = "while True: print('x' * 1000)\n"
QUIET = "import time\ntime.sleep(60)\n"
SECONDS = 5
ATTEMPTS = 3
GROWTH = 100 * MIB
STALL = 0.1
STOP = 0.3


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


def bounded(tap, name, value, bound, unit, scale):
    tap.note(f"{name}: {value / scale:.1f} {unit} (bound {bound / scale:.0f} {unit})")
    # What sanitizers keep of freed memory is no growth of ours, and their time is not a user's.
    if SANITIZED:
        tap.skip(name, "not measured under sanitizers")
    else:
        tap.ok(value < bound, name, [f"{value / scale:.1f} {unit}"])


class Flood:
    """One flood of SECONDS, measured. Looking disturbs: only one label is asked meanwhile."""

    def __init__(self, app, line):
        self.idle = resident(app.pid)
        pulse, frames = Pulse(app.pid), FrameWatch(app.session.display.name, app.window)
        app.run()
        runner = app.runner()
        runner_idle = resident(runner)
        memory = MemoryWatch({"app": app.pid, "runner": runner})
        begin = time.monotonic()
        wait_for(lambda: name_of(line).startswith("Stopped after"), "the end", SECONDS + 10, interval=0.1)
        self.rate, self.gap = frames.stop(begin, time.monotonic())
        self.median, self.stall = pulse.stop()
        self.peaks = memory.stop()
        self.growth = self.peaks["app"] - self.idle
        self.runner_growth = self.peaks["runner"] - runner_idle

    def describe(self):
        return (
            f"longest stall {self.stall * 1000:.0f} ms, median answer {self.median * 1000:.1f} ms; "
            f"{self.rate:.0f} frames per second, longest gap {self.gap * 1000:.0f} ms; "
            f"app {self.idle / MIB:.0f} MiB idle, {self.peaks['app'] / MIB:.0f} MiB at most; "
            f"runner {self.peaks['runner'] / MIB:.1f} MiB at most"
        )


def flood_the_app(tap, app, line):
    """Other work on the machine only adds to a stall, so the quietest of three floods counts."""
    floods = []
    for _ in range(ATTEMPTS):
        floods.append(Flood(app, line))
        tap.note(floods[-1].describe())
        wait_for(lambda: not app.is_running(), "the Stop button to rest")
    bounded(tap, "the app grows by less than 100 MiB", max(flood.growth for flood in floods), GROWTH, "MiB", MIB)
    bounded(tap, "its runner grows by less than 100 MiB", max(flood.runner_growth for flood in floods),
            GROWTH, "MiB", MIB)
    bounded(tap, "the main loop never stalls for 100 ms", min(flood.stall for flood in floods), STALL, "ms", 0.001)


def time_to_stop(app, line):
    """From pressing the key until the window shows that the run has ended. Not by the button: GTK holds
    a button that is pressed through accessibility down for a quarter of a second."""
    app.run()
    app.runner()
    wait_for(app.is_running, "the Stop button")
    time.sleep(1)
    before = time.monotonic()
    app.key("shift+F5")
    try:
        wait_for(lambda: name_of(line).startswith("Stopped by you"), "the end", interval=0.005)
    except AssertionError as error:
        raise AssertionError(f"{error}; the line says “{name_of(line)}”") from error
    return time.monotonic() - before


def stop_the_flood(tap, app, line):
    times = []
    for _ in range(ATTEMPTS):
        times.append(time_to_stop(app, line))
        wait_for(lambda: not app.is_running(), "the Stop button to rest")
    tap.note("answers to Stop: " + ", ".join(f"{value * 1000:.0f} ms" for value in times))
    bounded(tap, "Stop answers within 0.3 s", min(times), STOP, "ms", 0.001)


def command_line(code, *options):
    command = [os.environ["FH_CTL"], "run", "--no-history", *options, "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.stdin.write(code.encode())
    process.stdin.close()
    return process


def flood_the_command_line(tap):
    quiet = command_line(QUIET)
    wait_for(lambda: runner_of(quiet.pid), "a runner")
    time.sleep(0.5)
    idle = resident(quiet.pid)
    quiet.terminate()
    quiet.wait()
    flooding = command_line(FLOOD, "--timeout", str(SECONDS), "--output-limit", "none")
    memory = MemoryWatch({"command line": flooding.pid, "runner": wait_for(lambda: runner_of(flooding.pid), "a runner")})
    status = flooding.wait(timeout=(SECONDS + 10) * PATIENCE)
    peaks = memory.stop()
    tap.ok(status == 124, "fumehoodctl ends with 124", [f"status {status}", flooding.stderr.read().decode()])
    bounded(tap, "fumehoodctl grows by less than 100 MiB", peaks["command line"] - idle, GROWTH, "MiB", MIB)
    bounded(tap, "its runner stays under 100 MiB", peaks["runner"], GROWTH, "MiB", MIB)


def in_the_app(tap, measure, wall_ms):
    with fresh_session() as session:
        leave_draft(session, "print('warm')", wall_ms)
        with running(session) as app:
            app.run()
            app.wait_result("Finished normally.")
            app.type(FLOOD)
            measure(tap, app, app.result_line())
            tap.case("the app ends well", app.quit)


def main():
    tap = Tap()
    in_the_app(tap, flood_the_app, SECONDS * 1000)
    in_the_app(tap, stop_the_flood, 60000)
    flood_the_command_line(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
