# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader that takes nothing must not keep `fumehoodctl` from ending: neither after a signal nor after the end of its input."""

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import tempfile

from tap import PATIENCE, Tap, equal, must

CTL = os.environ["FH_CTL"]
PLACE = tempfile.TemporaryDirectory(prefix="fh-stuck-")
GIVEN_UP = b"fumehoodctl: The input has ended and nobody reads the output, so the rest of it is lost.\n"
# Each has an answer of some hundred bytes; together they are more than a pipe holds.
QUESTIONS = {
    "mcp": [{"jsonrpc": "2.0", "id": number, "method": "no/such"} for number in range(2000)],
    "session": [{"type": "interrupt", "id": f"{number:0100}"} for number in range(2000)],
}


class Stuck:
    """A command that waits for its reader, because the pipe to it is full."""

    def __init__(self, command, size=4096):
        self.process = subprocess.Popen([CTL, command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, "XDG_STATE_HOME": PLACE.name, "LC_ALL": "C.UTF-8", "LANGUAGE": ""})
        fcntl.fcntl(self.process.stdout, fcntl.F_SETPIPE_SZ, size)
        # Its input is full as well when it does not read on.
        os.set_blocking(self.process.stdin.fileno(), False)
        for question in QUESTIONS[command]:
            line = json.dumps(question).encode() + b"\n"
            if not select.select([], [self.process.stdin], [], 0.5)[1]:
                break
            try:
                os.write(self.process.stdin.fileno(), line)
            except BlockingIOError:
                break

    def end(self):
        said = self.process.stderr.read()
        return self.process.wait(PATIENCE), said


def after_a_signal():
    for command in QUESTIONS:
        for numbers in ([signal.SIGTERM], [signal.SIGHUP], [signal.SIGTERM, signal.SIGINT]):
            stuck = Stuck(command)
            for number in numbers:
                stuck.process.send_signal(number)
            status, said = stuck.end()
            must(status in [128 + number for number in numbers] and said == b"", f"{command} {numbers} {status} {said!r}")


def after_the_end_of_the_input():
    """Both at once: a reader has some seconds to read on."""
    all_stuck = [Stuck(command) for command in QUESTIONS]
    for stuck in all_stuck:
        stuck.process.stdin.close()
    for stuck in all_stuck:
        equal(stuck.end(), (141, GIVEN_UP), str(stuck.process.args))


def a_slow_reader():
    stuck = Stuck("session")
    stuck.process.stdin.close()
    lines = [json.loads(line) for line in stuck.process.stdout]
    must(len(lines) > 20 and {line["type"] for line in lines} == {"error"}, str(lines[-1]))
    equal(stuck.end(), (0, b""), "everything was read")


def an_interrupt_is_no_end():
    """For a session SIGINT interrupts a cell, and a reader that does not read then is only slow."""
    process = subprocess.Popen([CTL, "session", "--no-history"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""})
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    code = "try:\n  while True: print('x' * 1000)\nexcept KeyboardInterrupt:\n  pass"
    process.stdin.write(json.dumps({"type": "execute", "code": code, "events": ["output"], "id": 1}).encode() + b"\n")
    process.stdin.flush()
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    must(not ended_within(process, 1), "it waits for its reader")
    rest = first + process.communicate()[0]
    equal((json.loads(rest.splitlines()[-1])["type"], process.returncode), ("result", 0), "the cell has ended, and the session goes on")


def ended_within(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def main():
    tap = Tap()
    tap.case("a signal", after_a_signal)
    tap.case("the end of the input", after_the_end_of_the_input)
    tap.case("a slow reader gets everything", a_slow_reader)
    tap.case("an interrupted session", an_interrupt_is_no_end)
    PLACE.cleanup()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
