# SPDX-License-Identifier: GPL-3.0-or-later
"""A kept sandbox, for tests: a conversation with a runner whose interpreter runs cells."""

import contextlib
import json
import os
import struct

import wire
from sandboxed import PROGRAM, PYTHON

FOLDER = os.environ.get("FH_DATA_DIR", "") + "/guest/"
NAMES = ("bootstrap.py", "ending.py", "session.py", "guards.py", "report.py", "restrict.py", "values.py")
ARGV = [PYTHON, "-u", "/opt/fumehood/bootstrap.py"]
BINDS = [(FOLDER + name, "/opt/fumehood/" + name, 1) for name in NAMES]
GUARDS, CELL, SETUP, REPLY, ATTEMPT, MORE, CALL, ANSWER = 2, 5, 6, 7, 17, 18, 19, 20


def message(kind, *parts):
    body = bytes([kind]) + b"".join(parts)
    return struct.pack("<I", len(body)) + body


def order(number, **what):
    """One cell's message."""
    return message(CELL, struct.pack("<I", number), json.dumps(what).encode())


class CellResult(wire.Result):
    """What was said about one cell."""

    is_retired = False
    call = None
    answer = None
    pending = b""

    def take(self, kind, payload):
        if kind == wire.RETIRED:
            self.is_retired = True
        elif self.is_retired:
            raise ValueError("something came after RETIRED")
        elif self.finished:
            raise ValueError("something came after FINISHED that nobody had asked for")
        else:
            super().take(kind, payload)
        if kind == wire.GUEST and payload[0] in (MORE, CALL, ANSWER):
            self.pending += payload[5:]
            if payload[0] == MORE:
                return
            with contextlib.suppress(ValueError):
                setattr(self, "call" if payload[0] == CALL else "answer", json.loads(self.pending))
            self.pending = b""


class Kept(wire.Runner):
    """`mark`: a word by which its processes are found."""

    def __init__(self, mark="", flags=0, binds=BINDS, runner_env=None, **limits):
        super().__init__(PROGRAM, runner_env)
        self.result = CellResult()
        self.number = 0
        limits = {"wall_ms": 0, **limits}
        self.prepare([*ARGV, mark], flags=wire.GUEST_CHANNEL | flags, kind=wire.KEPT, binds=binds, **limits)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.socket.close()
        self.process.communicate(timeout=60)

    def begin(self, do="execute", wall_ms=20000, cpu_ms=0, before=b"", files=(), **what):
        self.result = CellResult()
        self.number += 1
        if do == "execute":
            what.setdefault("name", f"<cell {self.number}>")
        self.run(files, before + order(self.number, do=do, **what), struct.pack("<QQ", wall_ms, cpu_ms))

    def end(self, timeout=60):
        self.wait_until(lambda result: result.finished, timeout=timeout)
        self.result.exit_status = 0
        return self.result

    def do(self, do, **what):
        self.begin(do, **what)
        return self.end()

    def one(self, code, **more):
        return self.do("execute", code=code, **more)

    def wait_for_call(self, name):
        self.result.call = None
        self.wait_until(lambda result: result.call is not None)
        if self.result.call["name"] != name:
            raise ValueError(f"{self.result.call} is not a call of {name}")
        return self.result.call

    def reply(self, number, more=0, **what):
        self.send(wire.frame(wire.REPLY, bytes([REPLY]) + struct.pack("<IB", number, more) + json.dumps(what).encode()))

    def is_retired(self):
        """Waits for that, or for the end."""
        while not self.result.is_retired and self.step():
            pass
        return self.result.is_retired
