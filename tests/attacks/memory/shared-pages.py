# SPDX-License-Identifier: GPL-3.0-or-later
# Takes shared memory, which per-process limits do not count.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import mmap
import time

kept = []
for _ in range(10):
    pages = mmap.mmap(-1, 100 << 20)
    for offset in range(0, len(pages), 1 << 20):
        pages[offset:offset + (1 << 20)] = b"x" * (1 << 20)
    kept.append(pages)
time.sleep(1)
print("SUCCEEDED")
