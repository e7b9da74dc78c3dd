# SPDX-License-Identifier: GPL-3.0-or-later
# Hides memory in the buffers of sockets.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: ok failed memory-exceeded
# expect-attempt: any
# alone: yes
# needs: memory
# tiers: A A2 B
import socket

held, pairs = 0, []
try:
    for _ in range(2000):
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
print(held >> 20, "MiB")
print("SUCCEEDED" if held > 128 << 20 else "STOPPED")
