# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs through the built fumehoodctl, as a user would, and holds what came of it.

FH_CTL names the program. Nothing is kept in the user's own history. With FH_BACKEND=container the same cases run in
containers, with FH_BACKEND=flatpak in the app that is installed as a Flatpak; what is otherwise there is in
differences.py, with the reason.
"""

import atexit
import functools
import importlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import containers
from differences import IN_CONTAINERS, IN_FLATPAK_APPS, LEFT_OUT, SHORT_FORM
from tap import Skip, Tap, must, until

IN_CONTAINER = os.environ.get("FH_BACKEND") == "container"
IN_FLATPAK = os.environ.get("FH_BACKEND") == "flatpak"
# The suite soak tries all of what is tried in part every day.
IS_LONG = "--long" in sys.argv
DIFFERENCES = IN_CONTAINERS if IN_CONTAINER else IN_FLATPAK_APPS if IN_FLATPAK else {}
IMAGE = containers.PYTHON
# What every run begins with.
RUN = ["run", "--engine=docker", f"--container={IMAGE}"] if IN_CONTAINER else ["run"]
flatpak_room = importlib.import_module("flatpak_room") if IN_FLATPAK else None
ROOM = flatpak_room.Room().install() if IN_FLATPAK and flatpak_room.why_not() is None else None
STATE = tempfile.TemporaryDirectory(prefix="fh-acceptance-", dir=ROOM.data if ROOM else None)


def ctl_of_the_app():
    """A command like fumehoodctl that runs the installed app's."""
    atexit.register(ROOM.close)
    path = Path(STATE.name) / "fumehoodctl"
    path.write_text(f"#!/bin/sh\nexec {shlex.join(ROOM.words('fumehoodctl'))} \"$@\"\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


CTL = ctl_of_the_app() if ROOM else os.environ.get("FH_CTL", "fumehoodctl")


def environment(**more):
    if ROOM:
        return {**ROOM.environment, **more}
    return {**os.environ, "XDG_STATE_HOME": STATE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": "", **more}


class Result:
    """One run with --json: its object as attributes, and what the outside saw."""

    def __init__(self, process, elapsed):
        self.exit_status = process.returncode
        self.messages = process.stderr.decode()
        self.elapsed = elapsed
        self.raw = process.stdout
        self.object = json.loads(process.stdout)
        # How long Flatpak takes to start the app, or an engine to make a container, is not the run's.
        if IN_FLATPAK or IN_CONTAINER:
            self.elapsed = self.object["wall_us"] / 1e6

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
    process = subprocess.run([CTL, *words], timeout=300, check=False,
                             **{"env": environment(), "stdin": subprocess.DEVNULL, "capture_output": True, **options})
    return process


def save(source, suffix=".py"):
    if isinstance(source, str):
        source = source.encode()
    with tempfile.NamedTemporaryFile(prefix="program-", suffix=suffix, dir=STATE.name, delete=False) as file:
        file.write(source)
    return file.name


def run(source, *options, suffix=".py", arguments=(), image=None, **process_options):
    """One run to its end; `image` is for containers, when it is another one than Python's."""
    path = save(source, suffix)
    words = [*RUN, *([] if image is None else [f"--container={image}"]), "--json", "--no-history", *options, path]
    if arguments:
        words += ["--", *arguments]
    begin = time.monotonic()
    process = command(*words, **process_options)
    elapsed = time.monotonic() - begin
    Path(path).unlink()
    must(process.stdout.startswith(b"{"), f"no JSON: {process.stdout[:300]!r} {process.stderr[:300]!r}")
    return Result(process, elapsed)


def reason_to_skip():
    """None when sandboxes can be tried here; must_work() makes a reason a failure."""
    if IN_CONTAINER:
        return containers.why_not()
    if IN_FLATPAK and ROOM is None:
        return flatpak_room.why_not()
    if os.geteuid() == 0:
        return "sandboxes are tested as an ordinary user"
    answer = command("guards", "--json")
    try:
        probe = json.loads(answer.stdout)
    except ValueError:
        return f"fumehoodctl guards failed: {answer.stderr.decode(errors='replace')}"
    return None if probe["may_run"] else probe["reason"] or "nothing may run here"


def must_work():
    if IN_FLATPAK:
        return flatpak_room.must_work()
    return containers.must_work() if IN_CONTAINER else os.environ.get("FH_MUST_SANDBOX") == "1"


def missing(*commands):
    """The first of these commands that programs do not have, or None."""
    for name in commands:
        if not has(name):
            return name
    return None


@functools.cache
def has(name):
    """Commands by their name, modules as "python:NAME" of the system's Python or "perl:NAME", files by their path."""
    if name.startswith("python:"):
        words = ["/usr/bin/python3", "-c", f"import {name[7:]}"]
    elif name.startswith("perl:"):
        words = ["perl", f"-M{name[5:]}", "-e", "1"]
    elif name.startswith("/"):
        words = ["test", "-e", name]
    else:
        # What a user has installed elsewhere is not what programs find on this computer.
        words = ["sh", "-c", ("" if IN_CONTAINER else "PATH=/usr/bin:/bin; ") + 'command -v "$0"', name]
    if IN_FLATPAK:
        return ROOM.run(words[0], *words[1:]).returncode == 0
    if IN_CONTAINER:
        return containers.call("run", "--rm", "--network", "none", "--entrypoint", words[0], IMAGE, *words[1:],
                               check=False).returncode == 0
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


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


def must_appear(name, process):
    """Waits for a program of this name in `process`, which is a run."""
    def look():
        must(process.poll() is None, f"the run has ended without {name}")
        return processes_called(name)

    until(look, f"the start of {name}")


def must_vanish(name):
    """Programs of the tests that nothing ends go on for a minute."""
    deadline = time.monotonic() + 40
    while processes_called(name):
        must(time.monotonic() < deadline, f"still there: {name} {processes_called(name)}")
        time.sleep(0.02)


def main(cases):
    """`cases`: functions by the name of their TAP line."""
    tap = Tap()
    reason = reason_to_skip()
    for name, function in cases.items():
        if containers.IS_SHORT and name not in SHORT_FORM:
            continue
        if reason is None and DIFFERENCES.get(name, [None])[0] == LEFT_OUT:
            tap.skip(name, DIFFERENCES[name][1])
        elif reason is None:
            tap.case(name, function)
        elif must_work():
            tap.ok(False, name, [reason])
        else:
            tap.skip(name, reason)
    STATE.cleanup()
    tell_differences(tap, cases)
    sys.exit(tap.done())


def tell_differences(tap, cases):
    """What is otherwise in a container, or in Flatpak, than on this computer."""
    told = [(name, *DIFFERENCES[name]) for name in cases if name in DIFFERENCES]
    if told:
        tap.note("In a container:" if IN_CONTAINER else "In Flatpak:")
        for name, what, reason in told:
            tap.note(f"{name}: {what}: {reason}")


__all__ = ["CTL", "DIFFERENCES", "IN_CONTAINER", "IN_FLATPAK", "IS_LONG", "ROOM", "RUN", "Result", "STATE", "Skip", "command", "environment", "main", "missing",
           "must", "must_appear", "must_vanish", "must_work", "processes_called", "reason_to_skip", "run", "save", "tell_differences"]
