# SPDX-License-Identifier: GPL-3.0-or-later
"""The same program under bare Python and under data/guest/bootstrap.py, whose path is the first
argument of the test. Nothing here needs a sandbox: the guest channel is a socket of ours."""

import fcntl
import functools
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tap import PATIENCE, equal

BOOTSTRAP = os.path.abspath(sys.argv[1])


ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}


def bare(python, folder, arguments):
    return subprocess.run(
        [python, "-u", "main.py", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=ENVIRONMENT, timeout=PATIENCE, check=False)


def message(words, kind=b"\x01"):
    payload = kind + b"\0".join(os.fsencode(word) for word in words)
    return len(payload).to_bytes(4, "little") + payload


def wait_until_it_waits(process):
    """For its message: it reads from descriptor 3, and blocks."""
    for _ in range(60000):
        if process.poll() is not None or Path(f"/proc/{process.pid}/syscall").read_text().startswith("0 0x3 "):
            return
        time.sleep(0.001)
    raise AssertionError("it does not wait")


def guarded(python, folder, arguments, pieces=1, sealed=None, files=None, is_early=False, environment=(), before=b""):
    """The same through the bootstrap, and what it said on the guest channel. `sealed`: a descriptor of what is run.
    `is_early`: it gets its message only when it waits for it already. `before`: other messages."""
    ours, theirs = socket.socketpair()

    def hand_over():
        # Either may have the number that the other one is to get.
        channel = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD, 10)
        if sealed is not None:
            os.dup2(sealed, 4)
        os.dup2(channel, 3)
        os.close(channel)
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    process = subprocess.Popen(
        [python, "-u", BOOTSTRAP], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=folder, env=ENVIRONMENT | dict(environment), preexec_fn=hand_over, pass_fds=[3, 4] if sealed is not None else [3])
    theirs.close()
    if is_early:
        wait_until_it_waits(process)
    words = before + message([str(folder / "main.py"), *arguments], b"\x03" if sealed is not None else b"\x01")
    size = max(1, len(words) // pieces)
    for start in range(0, len(words), size):
        ours.sendall(words[start:start + size])
    stdout, stderr = process.communicate(timeout=PATIENCE)
    ours.setblocking(False)
    try:
        said = ours.recv(100)
    except BlockingIOError:
        said = b""
    ours.close()
    return subprocess.CompletedProcess([], process.returncode, stdout, stderr), said


def normal(output, folder):
    """The differences that are meant: the program is called by its full path, and the bootstrap's
    own frames count for the recursion limit."""
    output = output.replace(str(folder / "main.py").encode(), b"main.py").replace(bytes(folder), b"folder")
    output = re.sub(rb"repeated \d+ more", b"repeated some more", output)
    return re.sub(rb"0x[0-9a-f]+", b"0x", output)


def seen(source, run_it):
    """Returns what a program prints, and its exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.py").write_bytes(source)
        result = run_it(folder)
        return normal(result.stdout, folder), normal(result.stderr, folder), result.returncode


@functools.cache
def seen_bare(python, source, arguments):
    return seen(source, lambda folder: bare(python, folder, arguments))


def same(python, source, arguments, is_early=False):
    got = seen(source, lambda folder: guarded(python, folder, arguments, is_early=is_early)[0])
    equal(got, seen_bare(python, source, tuple(arguments)), "stdout, stderr and exit status")
