# SPDX-License-Identifier: GPL-3.0-or-later
# Fills UDP sockets with data that is never read, and takes their ports away: then the kernel lists them no more.
#
# baseline: skip it would take memory that counts for everybody
# options: --memory 400M
# expect-status: memory-exceeded:sockets memory-exceeded:certain
# expect-attempt: memory fill sockets|use memory * limited
# alone: yes
# tiers: A A2
import ctypes
import os
import signal
import socket
import time

libc = ctypes.CDLL(None)
NOBODY = bytes(16)  # AF_UNSPEC
PIECE = b"x" * 60000


def fill():
    """Returns how much is in one that has no port any more."""
    receiver, sender = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
    receiver.sendto(b"", ("127.0.0.1", 9))
    place = "127.0.0.1", receiver.getsockname()[1]
    sender.setblocking(False)
    held = 0
    try:
        for _ in range(3):
            held += sender.sendto(PIECE, place)
    except OSError:
        pass
    sender.close()
    if libc.connect(receiver.fileno(), NOBODY, len(NOBODY)) != 0 or receiver.getsockname()[1] != 0:
        print("it keeps its port")
        os._exit(1)
    kept.append(receiver)
    return held


reader, writer = os.pipe()
children = []
for _ in range(4):
    child = os.fork()
    if child == 0:
        kept, total = [], 0
        try:
            while True:
                total += fill()
        except OSError:
            os.write(writer, f"{total}\n".encode())
            time.sleep(60)
    children.append(child)
text = b""
while text.count(b"\n") < len(children):
    text += os.read(reader, 4096)
time.sleep(2)
total = sum(int(line) for line in text.split())
print(total >> 20, "MiB")
print("SUCCEEDED" if total > 80 << 20 else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
