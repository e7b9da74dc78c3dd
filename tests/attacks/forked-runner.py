# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands between a backend and the runner named by FH_FORKED_RUNNER: its run becomes the second of a forked sandbox.

Programs that are not Python are executed by one. What cannot be forked is passed on as it is.
"""

import os
import select
import socket
import struct
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GUEST = "/opt/fumehood"
GUEST_FILES = ("bootstrap.py", "program.py", "ending.py")
POLICY, FILE, RUN, STOP, INPUT, PREPARE = range(1, 7)
FINISHED, RETIRED = 21, 27
PROBE, GUEST_CHANNEL = 1, 2
NUMBERS = struct.Struct("<IIQQQQQIIBBBI")
FLAGS, KIND = 1, 11


def frame(kind, payload=b""):
    return struct.pack("<IHH", len(payload), kind, 0) + payload


def text(data):
    return struct.pack("<I", len(data)) + data


def texts(strings):
    return struct.pack("<I", len(strings)) + b"".join(text(one) for one in strings)


def file_frame(name, source):
    """A regular one in the workspace, with the usual permissions."""
    return frame(FILE, text(name) + struct.pack("<BBIQ", 0, False, 0, 0) + text(source))


def message(*words):
    body = b"\x01" + b"\0".join(words)
    return text(body)


class Policy:
    """As far as it has to be changed; see src/wire/wire-policy.c."""

    def __init__(self, payload):
        self.numbers = list(NUMBERS.unpack_from(payload))
        self.payload, self.at = payload, NUMBERS.size
        self.home = self._text()
        self.hosts, self.argv, self.env, self.preload = (self._texts() for _ in range(4))
        (self.n_binds,) = struct.unpack_from("<I", payload, self.at)
        self.rest = payload[self.at + 4:]

    def _text(self):
        (size,) = struct.unpack_from("<I", self.payload, self.at)
        self.at += 4 + size
        return self.payload[self.at - size:self.at]

    def _texts(self):
        (count,) = struct.unpack_from("<I", self.payload, self.at)
        self.at += 4
        return [self._text() for _ in range(count)]

    def can_fork(self):
        return not self.numbers[FLAGS] & PROBE and not self.hosts

    def is_python(self):
        return bool(self.numbers[FLAGS] & GUEST_CHANNEL)

    def encoded(self):
        return frame(POLICY, NUMBERS.pack(*self.numbers) + text(self.home) + texts(self.hosts) + texts(self.argv)
                     + texts(self.env) + texts(self.preload) + struct.pack("<I", self.n_binds) + self.rest)

    def fork(self):
        """Returns the launcher of a program that is not Python, or None."""
        self.numbers[KIND] = 1
        if self.is_python():
            return None
        launcher = f"import os\nos.execve({self.argv[0]!r}, {self.argv!r}, os.environ)\n".encode()
        self.numbers[FLAGS] |= GUEST_CHANNEL
        self.argv = [b"/usr/bin/python3", b"-u", f"{GUEST}/bootstrap.py".encode()]
        for name in GUEST_FILES:
            self.n_binds += 1
            source = os.fsencode(HERE.parent.parent / "data/guest" / name)
            self.rest = text(source) + text(f"{GUEST}/{name}".encode()) + b"\1" + self.rest
        return launcher


class Frames:
    """Those that arrive on a socket."""

    def __init__(self, end):
        self.end, self.data = end, b""

    def receive(self):
        """The next ones, as they came, with their kinds; None at the end."""
        try:
            piece = self.end.recv(1 << 20)
        except ConnectionError:
            return None
        if not piece:
            return None
        self.data += piece
        found = []
        while len(self.data) >= 8:
            size, kind, _ = struct.unpack_from("<IHH", self.data)
            if len(self.data) < 8 + size:
                break
            found.append((kind, self.data[:8 + size]))
            self.data = self.data[8 + size:]
        return found


def first_run(runner, frames):
    """One that leaves what it can."""
    source = b"import os, sys\nsys.modules['json'] = None\nopen('/tmp/left', 'w').close()\nos.chdir('/')\n"
    runner.sendall(file_frame(b"first.py", source) + frame(RUN, message(b"/workspace/first.py")))
    while True:
        found = frames.receive()
        if found is None or any(kind == RETIRED for kind, _ in found):
            sys.exit("the first run failed")
        if any(kind == FINISHED for kind, _ in found):
            return


def converse(backend, runner, policy_frame):
    asked, said = Frames(backend), Frames(runner)
    policy = Policy(policy_frame[8:])
    is_forked = policy.can_fork()
    launcher = policy.fork() if is_forked else None
    runner.sendall(policy.encoded() + (frame(PREPARE) if is_forked else b""))
    if is_forked:
        first_run(runner, said)
    while True:
        ready = select.select([backend, runner], [], [])[0]
        if backend in ready:
            found = asked.receive()
            if found is None:
                return
            for kind, data in found:
                if kind == RUN and launcher:
                    data = file_frame(b"launcher.py", launcher) + frame(RUN, message(b"/workspace/launcher.py"))
                if not (kind == PREPARE and is_forked):
                    runner.sendall(data)
        if runner in ready:
            found = said.receive()
            if found is None:
                return
            for kind, data in found:
                if kind != RETIRED:
                    backend.sendall(data)
                if kind == FINISHED:
                    return


def main():
    backend = socket.socket(fileno=3)
    header = backend.recv(8, socket.MSG_WAITALL)
    size, kind, _ = struct.unpack("<IHH", header)
    if kind != POLICY:
        sys.exit("no policy")
    policy_frame = header + backend.recv(size, socket.MSG_WAITALL)
    ours, theirs = socket.socketpair()
    with subprocess.Popen(os.environ["FH_FORKED_RUNNER"], stdin=subprocess.DEVNULL, close_fds=False,
                          preexec_fn=lambda: os.dup2(theirs.fileno(), 3)) as process:
        theirs.close()
        try:
            converse(backend, ours, policy_frame)
        except ConnectionError:
            pass
        ours.close()
        process.wait()


if __name__ == "__main__":
    main()
