# SPDX-License-Identifier: GPL-3.0-or-later
# Fills socket pairs and closes the sending ends: the unread data belongs to a socket that is not listed and
# that no process has open.
#
# baseline: skip it would take memory that no process accounts for
# options: --memory 400M
# expect-status: memory-exceeded:sockets
# expect-attempt: memory fill sockets * limited
# alone: yes
# tiers: A A2 B
import os
import signal
import socket
import time

reader, writer = os.pipe()
children = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        kept = []
        for _ in range(300):
            sender, receiver = socket.socketpair()
            sender.setblocking(False)
            try:
                while True:
                    sender.send(b"x" * 32768)
            except BlockingIOError:
                pass
            sender.close()
            kept.append(receiver)
        os.write(writer, b"x")
        time.sleep(60)
    children.append(pid)
for pid in children:
    os.read(reader, 1)
time.sleep(2)
for pid in children:
    os.kill(pid, signal.SIGKILL)
print("SUCCEEDED")
