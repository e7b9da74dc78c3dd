# SPDX-License-Identifier: GPL-3.0-or-later
# Keeps files of /proc open, each of which keeps the buffer that it was read into: that of an epoll instance's fdinfo
# has a line for each of its watches, of which there are more than descriptors.
#
# baseline: skip it would take too much memory
# options: --memory 128M
# expect-status: memory-exceeded
# expect-attempt: memory use memory * limited
# alone: yes
# tiers: A A2
import os
import select
import time

epoll = select.epoll()
free = [number for number in range(110, 399) if not os.path.exists(f"/proc/self/fd/{number}")]
for _ in range(40):
    reader, writer = os.pipe()
    os.close(writer)
    for number in free:
        os.dup2(reader, number)
        epoll.register(number, 0)
for number in free:
    os.close(number)
held = []
for _ in range(250):
    held.append(os.open(f"/proc/self/fdinfo/{epoll.fileno()}", os.O_RDONLY))
    os.read(held[-1], 1)
print(len(held), flush=True)
time.sleep(3)
print("SUCCEEDED")
