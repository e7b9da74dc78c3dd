# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up what all suites of one call saw: the failures with their logs, the times, and last one line of totals.

Reads every *.json (meson's test logs) and *.tap in a folder. Each TAP line counts as one test; a
program without TAP, or one that died between two lines, counts as one.
"""

import json
import re
import sys
from pathlib import Path

MOST = 12
TAP_LINE = re.compile(r"^(not )?ok\b\s*\d*\s*-?\s*([^#\n]*)(?:#\s*(SKIP)\b)?", re.IGNORECASE)
# The last line of timed.sh.
USED = re.compile(r"^# used (\d+) ms$", re.MULTILINE)
LOG_LINES = 120


class Totals:
    def __init__(self):
        self.passed = 0
        self.skipped = []
        self.failed = []

    def add_tap(self, program, text):
        """Counts the lines of one program; the number of failed ones."""
        failed = 0
        for line in text.splitlines():
            match = TAP_LINE.match(line)
            if not match:
                continue
            name = f"{program}: {match[2].strip()}".removeprefix(": ")
            if match[3]:
                self.skipped.append(f"{name} ({line.partition('#')[2].strip()[4:].strip()})")
            elif match[1]:
                self.failed.append(name)
                failed += 1
            else:
                self.passed += 1
        return failed

    def add_program(self, record):
        """One test program of a meson log; whether it failed."""
        name, result = short_name(record), record["result"]
        before = self.passed + len(self.skipped)
        failed = self.add_tap(name, record.get("stdout") or "")
        counted = self.passed + len(self.skipped) - before + failed
        if result in ("OK", "EXPECTEDFAIL"):
            self.passed += 0 if counted else 1
            return False
        if result == "SKIP":
            if not counted:
                self.skipped.append(name)
            return False
        if not failed:
            self.failed.append(f"{name}: {result.lower()} (exit status {record.get('returncode')})")
        return True


class Times:
    """The time and the processor time of each step, as run-suites.sh wrote them, of each suite and of each program."""

    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.steps = [(float(time), float(used), name) for time, used, name in (line.split(" ", 2) for line in lines)]
        self.suites = {}
        self.programs = []

    def add_program(self, step, record):
        match = USED.search(record.get("stdout") or "")
        time, used = record.get("duration") or 0, int(match[1]) / 1000 if match else 0
        self.programs.append((used, time, f"{step}: {short_name(record)}"))
        # The first that meson.build gives it, without the name of the project.
        suite = f"{step}: {record['name'].rpartition(' / ')[0].rpartition(':')[2].partition('+')[0]}"
        before = self.suites.get(suite, (0, 0))
        self.suites[suite] = (before[0] + used, before[1] + time)

    def print_all(self):
        print("\nTime and processor time of each step:")
        for time, used, name in self.steps:
            print(f"  {as_clock(time)} {as_clock(used)}  {name}")
        print(f"  {as_clock(sum(step[0] for step in self.steps))} {as_clock(sum(step[1] for step in self.steps))}  together")
        suites = [(used, time, name) for name, (used, time) in self.suites.items()]
        for title, rows in (("suites", suites), ("tests", self.programs)):
            print(f"\nThe {title} that used most processor time, after their time:")
            for used, time, name in sorted(rows, reverse=True)[:MOST]:
                print(f"  {as_clock(time)} {as_clock(used)}  {name}")


def as_clock(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:3}:{rest:02}"


def short_name(record):
    """What meson calls "fumehood:lint / layers" is "layers" to people."""
    return record["name"].rpartition(" / ")[2]


def read_meson_log(path, totals, times):
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            record = json.loads(line)
            times.add_program(path.stem, record)
            if totals.add_program(record):
                print_log(path.stem, record)


def print_log(suite, record):
    print(f"\n==== {suite}: {short_name(record)}: {record['result'].lower()}")
    for part in ("stdout", "stderr"):
        lines = (record.get(part) or "").splitlines()
        if part == "stdout":
            lines = [line for line in lines if not line.startswith("ok ")]
        if len(lines) > LOG_LINES:
            print(f"[{len(lines) - LOG_LINES} lines left out; all of them are in build/logs/{suite}.txt]")
        for line in lines[-LOG_LINES:]:
            print(f"  {line}")


def main():
    folder = Path(sys.argv[1])
    totals, times = Totals(), Times(folder / "times.txt")
    for path in sorted(folder.glob("*.json")):
        read_meson_log(path, totals, times)
    for path in sorted(folder.glob("*.tap")):
        totals.add_tap("", path.read_text(encoding="utf-8"))
    for title, names in (("Skipped", totals.skipped), ("Failed", totals.failed)):
        if names:
            print(f"\n{title}:")
            for name in names:
                print(f"  {name}")
    times.print_all()
    print(f"\n{totals.passed} passed, {len(totals.failed)} failed, {len(totals.skipped)} skipped", flush=True)
    return 0 if totals.passed and not totals.failed else 1


if __name__ == "__main__":
    sys.exit(main())
