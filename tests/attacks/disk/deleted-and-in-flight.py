# SPDX-License-Identifier: GPL-3.0-or-later
# Deletes files that are in flight in a socket: no process has them open.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M
# expect-status: ok disk-limit memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import os
import socket
import time

try:
    pairs = []
    for number in range(240):
        if number % 100 == 0:
            pairs.append(socket.socketpair())
        with open("file", "wb", buffering=0) as file:
            os.unlink("file")
            if file.write(b"x" * (1 << 20)) < 1 << 20:
                raise OSError("the file is cut")
            socket.send_fds(pairs[-1][0], [b"x"], [file.fileno()])
        time.sleep(0.01)
    time.sleep(2)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
