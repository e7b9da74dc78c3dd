# SPDX-License-Identifier: GPL-3.0-or-later
"""A forked sandbox, for tests: a conversation with a runner that serves many runs."""

import contextlib
import os

import wire
from sandboxed import PROGRAM, PYTHON, SANITIZED

BINDS = [(f"{os.environ.get('FH_DATA_DIR', '')}/guest/{name}", f"/opt/fumehood/{name}", 1)
         for name in ("bootstrap.py", "ending.py", "warm.py")]
NOT_HERE = "the user's Python cannot load a module with sanitizers" if SANITIZED else None
ARGV = [PYTHON, "-u", BINDS[2][1]]


def cold(source, flags=0, **limits):
    """The same run in a sandbox of its own."""
    runner = wire.Runner(PROGRAM)
    runner.start(ARGV, files=[("main.py", source.encode())], guest_message=wire.program_message(),
                 flags=wire.GUEST_CHANNEL | flags, binds=BINDS, **limits)
    return runner.finish()


class ForkedResult(wire.Result):
    """What was said about one run, and whether it was the last word."""

    is_retired = False

    def take(self, kind, payload):
        if kind == wire.RETIRED:
            self.is_retired = True
        elif self.is_retired:
            raise ValueError("something came after RETIRED")
        elif self.finished:
            raise ValueError("something came after FINISHED that nobody had asked for")
        else:
            super().take(kind, payload)


class Forked(wire.Runner):
    """`mark`: a word by which its processes are found."""

    def __init__(self, mark="", runner_env=None, argv=None, flags=0, binds=tuple(BINDS), **limits):
        super().__init__(PROGRAM, runner_env)
        self.result = ForkedResult()
        self.prepare(argv or [*ARGV, mark], flags=wire.GUEST_CHANNEL | flags, kind=wire.FORKED, binds=binds, **limits)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.socket.close()
        self.process.communicate(timeout=60)

    def begin(self, source, *words, stdin=b"", files=()):
        self.result = ForkedResult()
        self.run([*files, ("main.py", source.encode())], stdin, wire.program_message(*words))

    def end(self):
        self.wait_until(lambda result: result.finished, timeout=60)
        self.result.exit_status = 0
        return self.result

    def one(self, source, *words, **more):
        self.begin(source, *words, **more)
        return self.end()

    def is_retired(self):
        """Waits for that, or for the end."""
        while not self.result.is_retired and self.step():
            pass
        return self.result.is_retired
