# SPDX-License-Identifier: GPL-3.0-or-later
# Sends hundreds of open files to every socket that it has.
#
# baseline: skip there is no listener outside
# expect-status: ok failed internal-error
# expect-attempt: any
# within: 6
# tiers: A A2 B
import os
import socket
import stat

files = [os.open("/dev/null", os.O_RDONLY) for _ in range(200)]
for fd in range(3, 300):
    try:
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            continue
        channel = socket.socket(fileno=os.dup(fd))
        channel.settimeout(1)
        for _ in range(300):
            socket.send_fds(channel, [b"\1\0\0\0x"], files)
    except OSError:
        continue
print("STOPPED")
