# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs through the built fumehoodctl, as a user would, and holds what came of it.

FH_CTL names the program. Nothing is kept in the user's own history.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tap import Skip, Tap, must

CTL = os.environ.get("FH_CTL", "fumehoodctl")
STATE = tempfile.TemporaryDirectory(prefix="fh-acceptance-")


def environment(**more):
    return {**os.environ, "XDG_STATE_HOME": STATE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": "", **more}


class Result:
    """One run with --json: its object as attributes, and what the outside saw."""

    def __init__(self, process, elapsed):
        self.exit_status = process.returncode
        self.messages = process.stderr.decode()
        self.elapsed = elapsed
        self.raw = process.stdout
        self.object = json.loads(process.stdout)

    def __getattr__(self, name):
        try:
            return self.object[name]
        except KeyError:
            raise AttributeError(name) from None

    def __str__(self):
        shown = {key: value for key, value in self.object.items() if key != "guards"}
        return f"{str(shown)[:1500]} after {self.elapsed:.2f} s"

    def must_be(self, **expected):
        """Each field as named; a callable is asked."""
        for name, value in expected.items():
            got = getattr(self, name)
            passed = value(got) if callable(value) else got == value
            must(passed, f"{name} is {str(got)[:300]!r}, expected {value!r}: {self}")
        return self


def command(*words, **options):
    """Any call of fumehoodctl: (exit status, stdout, stderr) as bytes."""
    process = subprocess.run([CTL, *words], env=environment(), timeout=120, check=False,
                             **{"stdin": subprocess.DEVNULL, "capture_output": True, **options})
    return process


def save(source, suffix=".py"):
    if isinstance(source, str):
        source = source.encode()
    with tempfile.NamedTemporaryFile(prefix="program-", suffix=suffix, dir=STATE.name, delete=False) as file:
        file.write(source)
    return file.name


def run(source, *options, suffix=".py", arguments=(), **process_options):
    path = save(source, suffix)
    words = ["run", "--json", "--no-history", *options, path]
    if arguments:
        words += ["--", *arguments]
    begin = time.monotonic()
    process = command(*words, **process_options)
    elapsed = time.monotonic() - begin
    Path(path).unlink()
    must(process.stdout.startswith(b"{"), f"no JSON: {process.stdout[:300]!r} {process.stderr[:300]!r}")
    return Result(process, elapsed)


def reason_to_skip():
    """None when sandboxes can be tried here; FH_MUST_SANDBOX=1 makes a reason a failure."""
    if os.geteuid() == 0:
        return "sandboxes are tested as an ordinary user"
    answer = command("guards", "--json")
    try:
        probe = json.loads(answer.stdout)
    except ValueError:
        return f"fumehoodctl guards failed: {answer.stderr.decode(errors='replace')}"
    return None if probe["may_run"] else probe["reason"] or "nothing may run here"


def processes_called(name):
    """Host processes of this name (/proc/PID/comm), wherever they hide."""
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text().strip() == name:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def must_vanish(name, seconds=1.0):
    deadline = time.monotonic() + seconds
    while processes_called(name):
        must(time.monotonic() < deadline, f"still there: {name} {processes_called(name)}")
        time.sleep(0.02)


def main(cases):
    """`cases`: functions by the name of their TAP line."""
    tap = Tap()
    reason = reason_to_skip()
    for name, function in cases.items():
        if reason is None:
            tap.case(name, function)
        elif os.environ.get("FH_MUST_SANDBOX") == "1":
            tap.ok(False, name, [reason])
        else:
            tap.skip(name, reason)
    STATE.cleanup()
    sys.exit(tap.done())


__all__ = ["CTL", "Result", "STATE", "Skip", "command", "environment", "main", "must", "must_vanish",
           "processes_called", "reason_to_skip", "run", "save"]
