# SPDX-License-Identifier: GPL-3.0-or-later
# Opens so many pipes, in several processes, that new pipes of the user's other programs are smaller.
#
# baseline: skip pipes of all programs of the user share a limit
# arguments: uid
# expect-status: ok memory-exceeded:pipes
# expect-attempt: any
# noticed: pipes as long as it takes to look, where the guest has the number of the user
# alone: yes
# tiers: A A2 B
import os
import signal
import sys
import time

CHILDREN = 12
reader, writer = os.pipe()
children = []
for _ in range(CHILDREN):
    child = os.fork()
    if child == 0:
        ends = []
        try:
            for _ in range(150):
                ends.append(os.pipe())
        except OSError:
            pass
        os.write(writer, f"{len(ends)}\n".encode())
        time.sleep(60)
    children.append(child)
text = b""
while text.count(b"\n") < CHILDREN:
    text += os.read(reader, 4096)
total = sum(int(line) for line in text.split())
print(total)
time.sleep(1)
# A guest with a number of its own has as much as it wants of what belongs to that.
with open("/proc/self/uid_map", encoding="ascii") as file:
    numbers = [line.split() for line in file]
mine = [int(first) for inside, first, count in numbers if int(inside) <= os.getuid() < int(inside) + int(count)]
shared = len(numbers) == 1 and (mine == [0] or mine == [int(sys.argv[1])])
print("SUCCEEDED" if total > 1024 and shared else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
