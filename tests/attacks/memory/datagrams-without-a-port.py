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
import socket
import time

libc = ctypes.CDLL(None)
NOBODY = bytes(16)  # AF_UNSPEC
PIECE = b"x" * 60000


def fill():
    """Returns how much is in one that has no port any more."""
    receiver, sender = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
    receiver.connect(("127.0.0.1", 9))
    sender.setblocking(False)
    held = 0
    try:
        for _ in range(3):
            held += sender.sendto(PIECE, receiver.getsockname())
    except OSError:
        pass
    sender.close()
    if libc.connect(receiver.fileno(), NOBODY, len(NOBODY)) != 0 or receiver.getsockname()[1] != 0:
        print("it keeps its port")
        os._exit(1)
    kept.append(receiver)
    return held


kept = []
total = 0
try:
    while total < 200 << 20:
        total += fill()
except OSError as error:
    print(error)
time.sleep(1)
print(total >> 20, "MiB in", len(kept))
print("SUCCEEDED" if total > 80 << 20 else "STOPPED")
