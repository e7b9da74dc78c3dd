# SPDX-License-Identifier: GPL-3.0-or-later
"""A forked sandbox, for tests: a conversation with a runner that serves many runs."""

import os

import wire
from many_runs import ManyRuns, OneResult
from sandboxed import PROGRAM, PYTHON, SANITIZED

BINDS = [(f"{os.environ.get('FH_GUEST_DIR', '')}/{name}", f"/opt/fumehood/{name}", 1)
         for name in ("bootstrap.py", "program.py", "program.pyc", "ending.py", "ending.pyc")]
NOT_HERE = "the user's Python cannot load a module with sanitizers" if SANITIZED else None
ARGV = [PYTHON, "-u", BINDS[0][1]]


def cold(source, flags=0, **limits):
    """The same run in a sandbox of its own."""
    runner = wire.Runner(PROGRAM)
    runner.start(ARGV, files=[("main.py", source.encode())], guest_message=wire.program_message(),
                 flags=wire.GUEST_CHANNEL | flags, binds=BINDS, **limits)
    return runner.finish()


class Forked(ManyRuns):
    """`mark`: a word by which its processes are found."""

    def __init__(self, mark="", argv=None, binds=tuple(BINDS), **more):
        super().__init__(argv or [*ARGV, mark], wire.FORKED, binds, **more)

    def begin(self, source, *words, stdin=b"", files=()):
        self.result = OneResult()
        self.run([*files, ("main.py", source.encode())], stdin, wire.program_message(*words))

    def one(self, source, *words, **more):
        self.begin(source, *words, **more)
        return self.end()
