# SPDX-License-Identifier: GPL-3.0-or-later
"""How long Stop takes while a program floods its output, in the window and on the command line: from the key until
every process is dead, until the end is told, and until the window is at rest.

Usage: stop.py [ROUNDS]
"""

import os
import signal
import statistics
import subprocess
import sys
import threading
import time

from floods import FLOODS, Deaths, Stop, leave_draft
from fumehood import fresh_session, running
from measuring import runner_of
from waiting import wait_for

FLOODING_S = 1
# What a slow reader takes: about as much as a terminal shows.
SLOW_BYTES, SLOW_S = 4096, 0.01


def stop_in_window(app, line):
    """(death, word, rest) in seconds after the key."""
    app.run()
    wait_for(app.is_running, "the Stop button")
    time.sleep(FLOODING_S)
    stop = Stop(app, line)
    return stop.death - stop.key, stop.word - stop.key, stop.rest - stop.key


def read_slowly(stream):
    while os.read(stream.fileno(), SLOW_BYTES):
        time.sleep(SLOW_S)


def stop_on_command_line(code):
    """(death, word, end) in seconds after the signal; only a slow reader takes the output."""
    command = [os.environ["FH_CTL"], "run", "--no-history", "--output-limit", "none", "--timeout", "60", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(code.encode())
        process.stdin.close()
        reader = threading.Thread(target=read_slowly, args=[process.stdout], daemon=True)
        reader.start()
        runner = wait_for(lambda: runner_of(process.pid), "a runner")
        time.sleep(FLOODING_S)
        deaths = Deaths(runner)
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        # The program's own standard error comes on the same way.
        while b"Stopped by you" not in process.stderr.readline():
            pass
        word = time.monotonic()
        process.wait()
        end = time.monotonic()
        deaths.join()
        reader.join()
    return deaths.time - before, word - before, end - before


def show(name, times, last):
    deaths, words, ends = zip(*times)
    waits = [word - death for death, word in zip(deaths, words)]
    columns = ((deaths, "dead"), (words, "told"), (waits, "told after the death"), (ends, last))
    print(f"{name:30}" + "".join(
        f"  {label} {statistics.median(values) * 1000:.0f} ({max(values) * 1000:.0f})" for values, label in columns
    ), flush=True)


def bench_window(rounds):
    with fresh_session() as session:
        leave_draft(session, "print('warm')", 60000)
        with running(session) as app:
            app.run()
            app.wait_result("Finished normally.")
            for name, code in FLOODS.items():
                app.type(code)
                line = app.result_line()
                show(f"window, {name}", [stop_in_window(app, line) for _ in range(rounds)], "at rest")
            app.quit()


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"Stop under a flood: milliseconds, median (longest) of {rounds}; load {os.getloadavg()[0]:.1f}")
    bench_window(rounds)
    for name, code in FLOODS.items():
        show(f"command line, {name}", [stop_on_command_line(code) for _ in range(rounds)], "ended")
    print(f"load {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
