# SPDX-License-Identifier: GPL-3.0-or-later
"""A kept sandbox, for tests: a conversation with a runner whose interpreter runs cells."""

import contextlib
import json
import os
import struct

import wire
from many_runs import ManyRuns, OneResult
from sandboxed import PYTHON

FOLDER = os.environ.get("FH_GUEST_DIR", "") + "/"
NAMES = ("bootstrap.py", "program.py", "channel.py", "ending.py", "session.py", "guards.py", "report.py", "restrict.py", "values.py",
         "pictures.py", "notebook.py")
ARGV = [PYTHON, "-u", "/opt/fumehood/bootstrap.py"]
BINDS = [(FOLDER + name, "/opt/fumehood/" + name, 1) for name in NAMES]
GUARDS, CELL, SETUP, REPLY, ATTEMPT, MORE, CALL, ANSWER = 2, 5, 6, 7, 17, 18, 19, 20


def message(kind, *parts):
    body = bytes([kind]) + b"".join(parts)
    return struct.pack("<I", len(body)) + body


def order(number, **what):
    """One cell's message."""
    return message(CELL, struct.pack("<I", number), json.dumps(what).encode())


class CellResult(OneResult):
    """What was said about one cell."""

    call = None
    answer = None
    pending = b""

    def take(self, kind, payload):
        super().take(kind, payload)
        if kind == wire.GUEST and payload[0] in (MORE, CALL, ANSWER):
            # A flood in pieces must not take longer with each.
            self.pending = self.pending or bytearray()
            self.pending += payload[5:]
            if payload[0] == MORE:
                return
            with contextlib.suppress(ValueError):
                setattr(self, "call" if payload[0] == CALL else "answer", json.loads(self.pending))
            self.pending = b""


class Kept(ManyRuns):
    """`mark`: a word by which its processes are found."""

    def __init__(self, mark="", binds=BINDS, **more):
        super().__init__([*ARGV, mark], wire.KEPT, binds, **{"wall_ms": 0, **more})
        self.number = 0

    def begin(self, do="execute", wall_ms=20000, cpu_ms=0, before=b"", files=(), **what):
        self.result = CellResult()
        self.number += 1
        if do == "execute":
            what.setdefault("name", f"<cell {self.number}>")
        self.run(files, before + order(self.number, do=do, **what), struct.pack("<QQ", wall_ms, cpu_ms))

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
