# SPDX-License-Identifier: GPL-3.0-or-later
# Opens more files than its limit: one after the other, by raising the limit, with a high number, and by
# receiving them through a socket.
#
# baseline: works
# options: --file-limit 64
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os
import resource
import socket

MOST = 64
left, right = socket.socketpair()
held = [os.open("/dev/null", os.O_RDONLY)]


def open_until_refused():
    try:
        while len(held) <= 4 * MOST:
            held.append(os.dup(held[0]))
    except OSError as error:
        print(error)


for limit in (4 * MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[1]):
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    except (OSError, ValueError) as error:
        print(error)
open_until_refused()
highest = max(held)
try:
    highest = max(highest, os.dup2(held[0], 2 * MOST))
except OSError as error:
    print(error)
received = []
try:
    socket.send_fds(left, [b"x"], held[:8])
    received = socket.recv_fds(right, 1, 8)[1]
except OSError as error:
    print(error)
highest = max([highest, *received])
print(len(held), len(received), highest)
print("SUCCEEDED" if highest >= MOST else "STOPPED")
