# SPDX-License-Identifier: GPL-3.0-or-later
# Opens its list of mappings many times. One of them is of a file whose path is a million characters long, and each
# open list keeps a buffer for that.
#
# baseline: skip it would take much of the machine's memory
# options: --memory 128M --timeout 60
# expect-status: memory-exceeded
# expect-attempt: any
# alone: yes
# needs: memory
# tiers: A A2
import mmap
import os
import time

for _ in range(900):
    os.mkdir("\n" * 255)
    os.chdir("\n" * 255)
with open("file", "wb+") as file:
    file.write(b"x" * 4096)
    file.flush()
    pages = mmap.mmap(file.fileno(), 4096)
kept = []
for _ in range(300):
    kept.append(os.open("/proc/self/maps", os.O_RDONLY))
    while len(os.read(kept[-1], 1 << 16)) > 0:
        pass
time.sleep(5)
print("SUCCEEDED")
