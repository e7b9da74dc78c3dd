# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the stacks of many threads, which are small so that many can start, and what is left besides.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: ok memory-exceeded
# expect-attempt: any
# tiers: A A2 B
import threading

MIB = 1 << 20
THREADS = 60
ready, done = threading.Semaphore(0), threading.Event()


def deep(levels):
    return 0 if levels == 0 else sorted([levels], key=lambda _: deep(levels - 1))[0]


def fill():
    deep(150)
    ready.release()
    done.wait()


def fill_the_rest():
    """This begins when all threads run: a thread that begins without memory dies, and its starter waits for ever."""
    kept = []
    try:
        while len(kept) <= 128:
            kept.append(bytearray(MIB))
    except MemoryError:
        pass
    return len(kept)


for _ in range(THREADS):
    threading.Thread(target=fill, daemon=True).start()
for _ in range(THREADS):
    ready.acquire()
print("SUCCEEDED" if fill_the_rest() > 128 else "STOPPED")
