# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a session costs the same from its first cell to its last: time, memory and open files.

Usage: long-session.py [CELLS]

Cells that print 100 kB, draw a figure (with matplotlib where the system has it, else a PNG of their own), raise, define
variables and functions, and one in a hundred that runs into its time limit. A row for each tenth of them; memory is that of
fumehoodctl and of its runner, their own, and that of the interpreter inside. The history is kept. Fails if memory grows by
more than half, and 16 MiB, between the second row and the last.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CTL = os.environ.get("FH_CTL", "fumehoodctl")
FIRST = """
import io, struct, sys, zlib
try:
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
except ImportError:
    pyplot = None
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
def plot(n):
    if pyplot is not None:
        figure = pyplot.figure()
        figure.gca().plot([x * x % (n + 2) for x in range(100)])
        figure.savefig('figure.png')
        pyplot.close(figure)
    else:
        rows = b''.join(b'\\0' + bytes((x * y + n) % 256 for x in range(100)) for y in range(100))
        with open('figure.png', 'wb') as file:
            file.write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 100, 100, 8, 0, 0, 0, 0))
                       + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
pyplot is not None
"""
PRINT = "for line in range(1000): print(f'{line:5} ' + 'y' * 93)\n"


def code(number):
    """The source of a cell, its time limit, and whether it succeeds."""
    if number % 100 == 50:
        return PRINT + "while True: pass", 0.2, False
    if number % 10 == 5:
        return PRINT + f"def f(n): return n / 0\nf({number})", 20, False
    if number % 5 == 1:
        return PRINT + f"plot({number})", 20, True
    return PRINT + f"v{number % 50} = list(range({number}))\nv{number % 50}", 20, True


def own_memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("RssAnon")), 0)


def children(pid):
    return [int(number) for path in Path(f"/proc/{pid}/task").glob("*/children") for number in path.read_text().split()]


class Session:
    def __init__(self, folder):
        self.process = subprocess.Popen([CTL, "session"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "XDG_STATE_HOME": folder})

    def run(self, source, timeout):
        begun = time.monotonic()
        self.process.stdin.write(json.dumps({"type": "execute", "code": source, "timeout": timeout}).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline()), time.monotonic() - begun

    def memory(self):
        """KiB of fumehoodctl, of its runner, and of what is inside."""
        runner = children(self.process.pid)[0]
        inside, left = 0, children(runner)
        while left:
            pid = left.pop()
            inside += own_memory(pid)
            left += children(pid)
        return own_memory(self.process.pid), own_memory(runner), inside

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        session = Session(folder)
        answer, _ = session.run(FIRST, 60)
        print(f"figures: {'matplotlib' if answer['value'] == 'True' else 'a PNG of our own'}")
        print("cells   a cell (ms): median, 95 of 100   KiB: fumehoodctl, runner, inside   files   output (MB)")
        rows, times, output, plots = [], [], 0, 0
        for number in range(1, count + 1):
            source, timeout, succeeds = code(number)
            answer, elapsed = session.run(source, timeout)
            if answer["success"] != succeeds or answer["session_ended"]:
                sys.exit(f"cell {number}: {answer}")
            plots += [file["path"] for file in answer["files"]] == ["figure.png"]
            output += answer["truncated"]["stdout_total"]
            times += [elapsed] if timeout > 1 else []
            if number % (count // 10) == 0:
                rows.append(session.memory())
                times.sort()
                print(f"{number:5}   {statistics.median(times) * 1000:18.2f} {times[len(times) * 95 // 100] * 1000:13.2f}   "
                      f"{rows[-1][0]:17} {rows[-1][1]:7} {rows[-1][2]:7}   {session.files():5}   {output / 1e6:11.1f}", flush=True)
                times = []
        print(f"{plots} figures were told")
        session.process.stdin.close()
        if session.process.wait() != 0:
            sys.exit("fumehoodctl failed")
    for name, first, last in zip(("fumehoodctl", "its runner"), rows[1], rows[-1]):
        if last > first * 1.5 + 16384:
            sys.exit(f"the memory of {name} grows: {first} KiB, then {last} KiB")


main()
