# SPDX-License-Identifier: GPL-3.0-or-later
"""What a cell of `fumehoodctl session` costs, interleaved with bare Python; and whether that stays the same."""

import json
import os
import statistics
import subprocess
import time

CELLS, ROUNDS = 1000, 10
CODE = {"type": "execute", "code": "print('hello')"}


def bare():
    begun = time.monotonic()
    subprocess.run(["/usr/bin/python3", "-u", "-c", "print('hello')"], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begun


def main():
    session = subprocess.Popen([os.environ["FH_CTL"], "session", "--no-history"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def cell():
        begun = time.monotonic()
        session.stdin.write(json.dumps(CODE).encode() + b"\n")
        session.stdin.flush()
        if not json.loads(session.stdout.readline())["success"]:
            raise RuntimeError("the cell failed")
        return time.monotonic() - begun

    cell()
    print("cells       bare python (ms)   a cell (ms): median, minimum   ratio")
    for number in range(ROUNDS):
        cells, bares = [], []
        for at in range(CELLS // ROUNDS):
            cells.append(cell())
            if at % 5 == 0:
                bares.append(bare())
        ours, theirs = statistics.median(cells) * 1000, statistics.median(bares) * 1000
        print(f"{(number + 1) * CELLS // ROUNDS:5}       {theirs:16.2f}   {ours:11.2f} {min(cells) * 1000:16.2f}   {ours / theirs:5.3f}")
    session.stdin.close()
    session.wait()


main()
