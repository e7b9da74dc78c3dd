# SPDX-License-Identifier: GPL-3.0-or-later
# Sends itself open files without receiving them, until no program of the user can send one any more.
#
# baseline: skip no program of the user could pass descriptors
# expect-status: ok memory-exceeded:open-files-under-way
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import socket
import time

files = [0] * 250
sent, pairs = 0, []
try:
    while sent < 3000:
        pairs.append(socket.socketpair())
        socket.send_fds(pairs[-1][0], [b"x"], files)
        sent += len(files)
except OSError as error:
    print(error)
print(sent)
time.sleep(1)
print("SUCCEEDED" if sent > 1000 else "STOPPED")
