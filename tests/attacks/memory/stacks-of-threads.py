# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the stacks of many threads, which are small so that many can start, and what is left besides.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: ok memory-exceeded
# expect-attempt: any
# tiers: A A2 B
import sys
import threading

MIB = 1 << 20
ready, done = threading.Semaphore(0), threading.Event()
kept = []


def deep(levels):
    return 0 if levels == 0 else sorted([levels], key=lambda _: deep(levels - 1))[0]


def fill():
    try:
        deep(150)
        while True:
            kept.append(bytearray(MIB))
    except (MemoryError, RecursionError):
        pass
    ready.release()
    done.wait()


started = 0
try:
    for _ in range(100):
        threading.Thread(target=fill, daemon=True).start()
        started += 1
except (RuntimeError, MemoryError):
    pass
for _ in range(started):
    ready.acquire()
print("SUCCEEDED" if len(kept) > 128 else "STOPPED")
