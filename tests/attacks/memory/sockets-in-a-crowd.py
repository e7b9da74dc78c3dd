# SPDX-License-Identifier: GPL-3.0-or-later
# Opens so much in many processes that it cannot all be counted, and then fills sockets.
#
# baseline: skip it would take memory that no process accounts for
# options: --memory 512M --timeout 120
# expect-status: memory-exceeded:sockets
# expect-attempt: memory fill sockets * limited
# alone: yes
# slow: yes
# tiers: A A2 B
import os
import signal
import socket
import time

reader, writer = os.pipe()
children = []


def start(take, number):
    for _ in range(number):
        pid = os.fork()
        if pid == 0:
            kept = []
            try:
                take(kept)
            except OSError:
                pass
            os.write(writer, b"x")
            time.sleep(60)
        children.append(pid)
    for _ in range(number):
        os.read(reader, 1)


def open_files(kept):
    for i in range(1000):
        kept.append(os.open(f"file-{i}", os.O_RDWR | os.O_CREAT))


def fill_sockets(kept):
    for _ in range(150):
        kept.append(socket.socketpair())
        kept[-1][0].setblocking(False)
        try:
            while True:
                kept[-1][0].send(b"x" * 32768)
        except BlockingIOError:
            pass


start(open_files, 24)
start(fill_sockets, 6)
# Looking at so much takes a while, and must not be all that is done.
time.sleep(10)
for pid in children:
    os.kill(pid, signal.SIGKILL)
print("SUCCEEDED")
