# SPDX-License-Identifier: GPL-3.0-or-later
"""A program on a terminal of its own, which a test reads and types on."""

import fcntl
import os
import select
import subprocess
import termios
import time

from tap import PATIENCE


class Terminal:
    def __init__(self, *words, streams=True, **options):
        """With `streams`, standard streams that are not given are the terminal as well."""
        self.end, inner = os.openpty()
        if streams:
            options = {"stdin": inner, "stdout": inner, "stderr": inner, **options}
        self.shown = ""

        def take():
            os.setsid()
            fcntl.ioctl(inner, termios.TIOCSCTTY, 0)

        # Nothing else runs in this process.
        self.process = subprocess.Popen(words, preexec_fn=take, pass_fds=(inner,), **options)  # pylint: disable=W1509
        os.close(inner)

    def read(self):
        """FALSE at the end."""
        try:
            data = os.read(self.end, 65536)
        except OSError:
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return data != b""

    def wait_for(self, text, seconds=PATIENCE):
        """What was shown before it and with it, which is then forgotten."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            ready = select.select([self.end], [], [], max(deadline - time.monotonic(), 0))[0]
            if not ready or not self.read():
                raise AssertionError(f"{text!r} is not shown: {self.shown!r}")
        at = self.shown.index(text) + len(text)
        before, self.shown = self.shown[:at], self.shown[at:]
        return before

    def type(self, text):
        os.write(self.end, text.encode())

    def hang_up(self):
        os.close(self.end)
        self.end = -1

    def finish(self, seconds=PATIENCE):
        """The exit status."""
        while self.end >= 0 and self.read():
            pass
        try:
            return self.process.wait(seconds)
        finally:
            self.process.kill()
            if self.end >= 0:
                os.close(self.end)
