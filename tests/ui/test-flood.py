# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that write without end: the window is painted and answers meanwhile, Stop is told before what waits to be
shown, and memory is bounded. Times and rates are printed; what counts is what happens before what."""

import os
import subprocess
import sys
import time

from display import PaintWatch
from floods import FLOODS, Stop, leave_draft
from fumehood import fresh_session, running
from measuring import MIB, MemoryWatch, Pulse, resident, runner_of
from tap import Tap
from waiting import PATIENCE, SANITIZED, wait_for

QUIET = "import time\nprint('on', flush=True)\ntime.sleep(60)\n"
SECONDS = 3
GROWTH = 100 * MIB
# So often is the window painted, and so often does it answer, before a flood is stopped.
SIGNS_OF_LIFE = 40
# What is on its way when the program dies takes a few turns of the main loop, between which frames are painted. An
# end that waits until there is nothing to paint takes hundreds.
FRAMES_BEFORE_END = 10


def bounded(tap, name, value):
    tap.note(f"{name}: {value / MIB:.1f} MiB (bound {GROWTH / MIB:.0f} MiB)")
    # What sanitizers keep of freed memory is no growth of ours.
    if SANITIZED:
        tap.skip(name, "not measured under sanitizers")
    else:
        tap.ok(value < GROWTH, name, [f"{value / MIB:.1f} MiB"])


def flood_the_app(tap, app, name, line):
    """Looking disturbs: only one label is asked meanwhile."""
    idle = resident(app.pid)
    app.run(FLOODS[name])
    wait_for(app.is_running, "the Stop button")
    runner = app.runner()
    memory = MemoryWatch({"app": app.pid, "runner": runner})
    begin, pulse, paints = time.monotonic(), Pulse(app.pid), PaintWatch(app.session.display.name, app.window)
    wait_for(lambda: min(len(paints.times), len(pulse.times)) >= SIGNS_OF_LIFE, "frames and answers under a flood", 60)
    end = time.monotonic()
    paints.stop()
    median, stall = pulse.stop()
    rate, gap = paints.frames(begin, end)
    tap.note(f"{name}: longest stall {stall * 1000:.0f} ms, median answer {median * 1000:.1f} ms; "
             f"{rate:.0f} frames per second, longest gap {gap * 1000:.0f} ms")
    stop = Stop(app, line)
    peaks = memory.stop()
    tap.note(f"{name}: after the key dead {(stop.death - stop.key) * 1000:.0f} ms, told "
             f"{(stop.word - stop.key) * 1000:.0f} ms, at rest {(stop.rest - stop.key) * 1000:.0f} ms")
    tap.ok(stop.paints <= FRAMES_BEFORE_END, f"{name}: the end is told before more is painted",
           [f"{stop.paints} frames between the death and the word"])
    tap.note(f"{name}: {stop.paints} frames between the death and the word")
    bounded(tap, f"{name}: the app’s growth", peaks["app"] - idle)
    bounded(tap, f"{name}: the runner’s memory", peaks["runner"])


def command_line(code, *options, output=subprocess.DEVNULL):
    command = [os.environ["FH_CTL"], "run", "--no-history", *options, "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE)
    process.stdin.write(code.encode())
    process.stdin.close()
    return process


def flood_the_command_line(tap):
    quiet = command_line(QUIET, output=subprocess.PIPE)
    quiet.stdout.readline()
    idle = resident(quiet.pid)
    quiet.terminate()
    quiet.wait()
    flooding = command_line(FLOODS["long lines"], "--timeout", str(SECONDS), "--output-limit", "none")
    memory = MemoryWatch({"command line": flooding.pid, "runner": wait_for(lambda: runner_of(flooding.pid), "a runner")})
    status = flooding.wait(timeout=(SECONDS + 10) * PATIENCE)
    peaks = memory.stop()
    tap.ok(status == 124, "fumehoodctl ends with 124", [f"status {status}", flooding.stderr.read().decode()])
    bounded(tap, "fumehoodctl’s growth", peaks["command line"] - idle)
    bounded(tap, "its runner’s memory", peaks["runner"])


def main():
    tap = Tap()
    with fresh_session() as session:
        leave_draft(session, "print('warm')", 120000)
        with running(session) as app:
            app.run()
            app.wait_result("Finished normally.")
            line = app.result_line()
            for name in FLOODS:
                tap.case(f"{name}: stopped", flood_the_app, tap, app, name, line)
            tap.case("the app ends well", app.quit)
    flood_the_command_line(tap)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
