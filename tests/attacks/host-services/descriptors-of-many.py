# SPDX-License-Identifier: GPL-3.0-or-later
# Has a hundred processes send open files at the same moment, before any are counted, and puts sockets that
# hold files into other sockets, where they cannot be counted.
#
# baseline: skip no program of the user could pass descriptors
# expect-status: ok memory-exceeded:open-files-under-way
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import mmap
import os
import signal
import socket
import time

CHILDREN = 100


def race():
    """What is sent lies in memory that has yet to be fetched, so that sending takes its time."""
    left, right = socket.socketpair()
    inner, other = socket.socketpair()
    os.read(start_reader, 1)
    sent = 0
    try:
        for _ in range(3):
            pages = mmap.mmap(-1, 100000)
            socket.send_fds(inner, [pages], [0] * 250)
            sent += 250
    except OSError:
        pass
    try:
        socket.send_fds(left, [b"x"], [other.fileno()])
        other.close()
        inner.close()
    except OSError:
        pass
    os.write(writer, f"{sent}\n".encode())
    time.sleep(60)


reader, writer = os.pipe()
start_reader, start_writer = os.pipe()
children = []
for _ in range(CHILDREN):
    child = os.fork()
    if child == 0:
        race()
    children.append(child)
os.write(start_writer, b"x" * CHILDREN)
text = b""
while text.count(b"\n") < CHILDREN:
    text += os.read(reader, 4096)
total = sum(int(line) for line in text.split())
print(total)
time.sleep(1)
print("SUCCEEDED" if total > 1000 else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
