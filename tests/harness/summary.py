# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up what all suites of one call saw: the failures with their logs, the times, and last one line of totals.

Reads every *.json (meson's test logs) and *.tap in a folder. Each TAP line counts as one test; a
program without TAP, or one that died between two lines, counts as one.
"""

import json
import re
import sys
from pathlib import Path

SLOWEST = 10
TAP_LINE = re.compile(r"^(not )?ok\b\s*\d*\s*-?\s*([^#\n]*)(?:#\s*(SKIP)\b)?", re.IGNORECASE)
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
    """How long each step took, as run-suites.sh wrote it, and each program."""

    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.steps = [(float(seconds), name) for seconds, _, name in (line.partition(" ") for line in lines)]
        self.programs = []

    def add_program(self, suite, record):
        self.programs.append((record.get("duration") or 0, f"{suite}: {short_name(record)}"))

    def print_all(self):
        print("\nTimes:")
        for seconds, name in self.steps:
            print(f"  {as_clock(seconds)}  {name}")
        print(f"  {as_clock(sum(seconds for seconds, _ in self.steps))}  together")
        print("\nThe slowest tests:")
        for seconds, name in sorted(self.programs, reverse=True)[:SLOWEST]:
            print(f"  {as_clock(seconds)}  {name}")


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
