# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation with a runner that serves many runs, one after the other."""

import contextlib

import wire
from sandboxed import PROGRAM
from tap import PATIENCE


class OneResult(wire.Result):
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


class ManyRuns(wire.Runner):
    def __init__(self, argv, kind, binds, runner_env=None, flags=0, **limits):
        super().__init__(PROGRAM, runner_env)
        self.result = OneResult()
        self.prepare(argv, flags=wire.GUEST_CHANNEL | flags, kind=kind, binds=binds, **limits)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.socket.close()
        self.process.communicate(timeout=PATIENCE)

    def end(self):
        self.wait_until(lambda result: result.finished)
        self.result.exit_status = 0
        return self.result

    def is_retired(self):
        """Waits for that, or for the end."""
        while not self.result.is_retired and self.step():
            pass
        return self.result.is_retired
