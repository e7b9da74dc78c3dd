# SPDX-License-Identifier: GPL-3.0-or-later
# Hides memory in socket buffers, in several processes because of the limit on open files.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: memory-exceeded:sockets memory-exceeded:certain
# expect-attempt: memory fill sockets|use memory * limited
# alone: yes
# tiers: A A2 B
import os
import signal
import socket
import time

MOST = 60 << 20


def fill():
    held, pairs = 0, []
    try:
        while held < MOST:
            left, right = socket.socketpair()
            pairs.append((left, right))
            for one in (left, right):
                one.setblocking(False)
                one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 20)
                try:
                    while True:
                        held += one.send(b"x" * 65536)
                except BlockingIOError:
                    pass
    except OSError as error:
        print(error)
    os.write(writer, f"{held}\n".encode())
    time.sleep(60)


reader, writer = os.pipe()
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        fill()
    children.append(child)
text = b""
while text.count(b"\n") < len(children):
    text += os.read(reader, 4096)
total = sum(int(line) for line in text.split())
time.sleep(1.5)
print(total >> 20, "MiB")
print("SUCCEEDED" if total > 128 << 20 else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
