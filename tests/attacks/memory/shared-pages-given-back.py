# SPDX-License-Identifier: GPL-3.0-or-later
# Fills shared memory and unmaps it: no process shows it any more, but the kernel keeps it.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: memory-exceeded failed ok
# expect-attempt: any
# alone: yes
# needs: memory
# slow: yes
# tiers: A A2
import mmap
import time

kept = []
for _ in range(10):
    pages = mmap.mmap(-1, 100 << 20)
    for offset in range(0, len(pages), 4 << 20):
        pages[offset:offset + (4 << 20)] = b"x" * (4 << 20)
        pages.madvise(mmap.MADV_DONTNEED, offset, 4 << 20)
    kept.append(pages)
time.sleep(1)
print("SUCCEEDED")
