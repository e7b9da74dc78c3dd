# SPDX-License-Identifier: GPL-3.0-or-later
"""What Flatpak costs: installed size, time to the first picture of the window, time of a command and time of a run, each
beside the build on the host, in interleaved rounds.

Usage: flatpak.py [ROUNDS]
"""

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import flatpak_room
from display import Display
from flatpak_room import APP, Room
from session import LAUNCHERS
from waiting import wait_for

SKIPPED = 77
OF_THE_BUILD = ("FH_RUNNER", "FH_DATA_DIR", "FH_GUEST_DIR", "GSETTINGS_SCHEMA_DIR")
# A window that has drawn something has more shades than a wall, or than a window that is only there.
SHADES = 40
# Times the runs where they are, so that starting Flatpak does not count.
TIMER = """
import subprocess, sys, time
for _ in range(int(sys.argv[1])):
    begin = time.monotonic()
    answer = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if answer.stdout != "hello\\n":
        sys.exit(f"{answer.returncode} {answer.stdout!r} {answer.stderr!r}")
    print((time.monotonic() - begin) * 1000)
"""


def installed_bytes(room):
    place = Path(room.flatpak("info", "--show-location", APP).stdout.strip())
    return sum(path.lstat().st_size for path in place.rglob("*") if path.is_file() and not path.is_symlink())


def on_the_host(room):
    """What the build needs that is not installed; a Flatpak would take it for its own."""
    return {**room.environment, **{name: os.environ[name] for name in OF_THE_BUILD}}


def first_picture(display, words, environment):
    """Milliseconds from the start of the program; it is ended then, by its window."""
    before = {window.id for window in display.windows()}

    def painted():
        new = [window for window in display.windows() if window.id not in before]
        return new[-1] if new and len(set(display.picture(new[-1])[2])) > SHADES else None

    begin = time.monotonic()
    program = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        window = wait_for(painted, "the first picture of the window", 30, interval=0.005)
        elapsed = (time.monotonic() - begin) * 1000
        display.close_window(window)
        wait_for(lambda: program.poll() is not None, "the end of the program")
    finally:
        if program.poll() is None:
            program.kill()
        program.wait()
    return elapsed


def run_times(words, environment, rounds):
    answer = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            check=False)
    if answer.returncode != 0:
        return None, answer.stderr.strip()
    return [float(line) for line in answer.stdout.split()][-rounds:], ""


def row(name, times, base=None):
    middle = statistics.median(times)
    ratio = f"  {middle / statistics.median(base):5.2f} ×" if base else ""
    print(f"  {name:<34} {middle:8.1f} ms  ({min(times):.1f} … {max(times):.1f}){ratio}")


def bench_windows(room, display, rounds):
    ways = {
        "on the host": ([os.environ["FH_APP"]], on_the_host(room)),
        "in Flatpak": (["flatpak", "run", APP], room.environment),
    }
    times = {name: [] for name in ways}
    for turn in range(rounds + 1):
        for name, (words, environment) in ways.items():
            elapsed = first_picture(display, words, environment)
            # The first fills caches.
            if turn > 0:
                times[name].append(elapsed)
    print("From the start to the first picture of the window:")
    row("on the host", times["on the host"])
    row("in Flatpak", times["in Flatpak"], times["on the host"])


def bench_runs(room, rounds):
    program = room.data / "hello.py"
    program.write_text("print('hello')\n", encoding="ascii")
    timer = ["python3", "-c", TIMER, str(rounds + 1)]
    run = ["run", "--no-history", str(program)]
    host, trouble = run_times([*timer, os.environ["FH_CTL"], *run], on_the_host(room), rounds)
    print("fumehoodctl run, a program that prints a word:")
    if host is None:
        print(f"  nothing runs on the host: {trouble}")
        return
    row("on the host", host)
    inside, trouble = run_times([*room.words("python3"), *timer[1:], "fumehoodctl", *run], room.environment, rounds)
    if inside is None:
        print(f"  nothing runs in Flatpak: {trouble}")
    else:
        row("in Flatpak", inside, host)


def bench_backend(room, rounds):
    """Without a command: as it is for the window, which prepares the next run while a person pauses."""
    # Both know it by this name, and it finds there what is installed with the app.
    program = shutil.copy(os.environ["FH_WARM_RUN"], room.data)
    inside = ["env", "FH_RUNNER=/app/libexec/fumehood-runner", "FH_DATA_DIR=/app/share/fumehood", program]
    ways = {
        "on the host": ([program], on_the_host(room)),
        "in Flatpak": ([*room.words(inside[0]), *inside[1:]], room.environment),
    }
    for kind, title in (("cold", "A run, a program that prints a word:"), ("warm", "The same, prepared beforehand:")):
        times = {name: [] for name in ways}
        print(title)
        for _ in range(rounds):
            for name, (words, environment) in ways.items():
                # The first of two fills caches.
                found, trouble = run_times([*words, "2", kind], environment, 1)
                if found is None:
                    print(f"  nothing runs {name}: {trouble}")
                    return
                times[name] += found
        row("on the host", times["on the host"])
        row("in Flatpak", times["in Flatpak"], times["on the host"])


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    reason = flatpak_room.why_not()
    if reason is not None:
        print(f"skipped: {reason}")
        return SKIPPED
    launcher = next(path for path in LAUNCHERS if os.path.exists(path))
    display = Display()
    try:
        with Room({"org.a11y.Bus": launcher}, DISPLAY=display.name, GSK_RENDERER="cairo", GDK_BACKEND="x11",
                  GDK_DEBUG="gl-disable") as room:
            room.install()
            print(f"Installed: {installed_bytes(room) / 1e6:.1f} MB, without the runtime")
            bench_windows(room, display, rounds)
            bench_runs(room, rounds)
            bench_backend(room, rounds)
    finally:
        display.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
