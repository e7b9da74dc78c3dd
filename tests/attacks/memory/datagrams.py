# SPDX-License-Identifier: GPL-3.0-or-later
# Fills datagram sockets, AF_INET and AF_UNIX, with data that is never read. The senders of the latter are
# closed, so that the sockets charged for it are no longer listed.
#
# baseline: skip it would take memory that counts for everybody
# options: --memory 256M
# expect-status: memory-exceeded:sockets memory-exceeded:certain
# expect-attempt: memory fill sockets|use memory * limited
# alone: yes
# tiers: A A2
import os
import signal
import socket
import time

CHILDREN = 4
PIECE = b"x" * 60000


def send_all(sender, times):
    held = 0
    sender.setblocking(False)
    try:
        for _ in range(times):
            held += sender.send(PIECE)
    except OSError:
        pass
    return held


def fill(number):
    held, sockets = 0, []
    try:
        for _ in range(100):
            receiver = socket.socket(type=socket.SOCK_DGRAM)
            receiver.bind(("127.0.0.1", 0))
            sockets.append(receiver)
            with socket.socket(type=socket.SOCK_DGRAM) as sender:
                sender.connect(receiver.getsockname())
                held += min(send_all(sender, 4), 200000)
        for turn in range(150):
            name = f"\0{number}-{turn}"
            receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            receiver.bind(name)
            sockets.append(receiver)
            for _ in range(4):
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                    sender.connect(name)
                    held += send_all(sender, 3)
    except OSError as error:
        print(error)
    os.write(writer, f"{held}\n".encode())
    time.sleep(60)


reader, writer = os.pipe()
children = []
for number in range(CHILDREN):
    child = os.fork()
    if child == 0:
        fill(number)
    children.append(child)
text = b""
while text.count(b"\n") < CHILDREN:
    text += os.read(reader, 4096)
total = sum(int(line) for line in text.split())
time.sleep(1)
print(total >> 20, "MiB")
print("SUCCEEDED" if total > 64 << 20 else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
