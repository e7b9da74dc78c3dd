# SPDX-License-Identifier: GPL-3.0-or-later
"""How tests call fumehoodctl, with a fake runner (fake-runner.c)."""

import os
import pty
import subprocess
import tempfile
import tty
from pathlib import Path

from tap import PATIENCE, equal, must, until

CTL = os.environ["FH_CTL"]
FAKE_RUNNER = os.environ["FH_FAKE_RUNNER"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-cli-")
ROOM = Path(PLACE.name)


def file(name, content=b"print(1)\n"):
    path = ROOM / name
    path.write_bytes(content)
    return str(path)


def environment(act="tells", **more):
    link = ROOM / f"fake-runner-{act}"
    if not link.is_symlink():
        link.symlink_to(FAKE_RUNNER)
    return {**os.environ, "FH_RUNNER": str(link), "XDG_STATE_HOME": str(ROOM / "state"),
            "XDG_CONFIG_HOME": str(ROOM / "config"), "LC_ALL": "C.UTF-8",
            "LANGUAGE": "", **more}


def call(*words, act="tells", env=None, **options):
    return subprocess.run([CTL, *words], env={**environment(act), **(env or {})}, timeout=PATIENCE, check=False,
                          **{"stdin": subprocess.DEVNULL, "capture_output": True, **options})


def run(*words, **options):
    return call("run", "--no-history", *words, **options)


def refused(answer, *parts):
    """Nothing on stdout, one line on stderr that contains the parts, and exit status 125."""
    equal(answer.returncode, 125, "exit status")
    equal(answer.stdout, b"", "stdout")
    text = answer.stderr.decode()
    must(text.startswith("fumehoodctl: ") and text.count("\n") == 1, f"one line is expected: {text!r}")
    for part in parts:
        must(part in text, f"{part!r} is not in {text!r}")


def wait_until(condition, what):
    until(condition, what, pause=0.01)


def children(process):
    """Those of all its threads."""
    listings = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [word for listing in listings for word in listing.read_text(encoding="ascii").split()]


def has_signal(process_id, field, number):
    """Whether the signal is in a set of /proc/PID/status, such as ShdPnd (pending) or SigIgn (ignored)."""
    lines = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8").splitlines()
    (signals,) = [line.split()[1] for line in lines if line.startswith(f"{field}:")]
    return bool(int(signals, 16) >> number - 1 & 1)


def on_terminal(content, *words, act="stdin", term="xterm", **streams):
    """What a terminal gets when the program prints `content`, except for streams that are named."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    words = [CTL, "run", "--no-history", "--stdin", file("printed", content), *words, file("a.py")]
    process = subprocess.Popen(words, env=environment(act, TERM=term), stdin=subprocess.DEVNULL,
                               **{"stdout": theirs, "stderr": theirs, **streams})
    os.close(theirs)
    got = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        got += piece
    os.close(ours)
    process.wait(timeout=PATIENCE)
    return got
