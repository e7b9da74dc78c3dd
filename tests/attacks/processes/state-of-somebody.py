# SPDX-License-Identifier: GPL-3.0-or-later
# Asks through a pidfd who somebody's process is, and waits for its end (PIDFD_GET_INFO).
#
# baseline: may the kernel is older than the request
# arguments: pid
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import fcntl
import os
import select
import struct
import sys

GET_INFO = 0xC040FF0B
try:
    handle = os.pidfd_open(int(sys.argv[1]))
    print(select.select([handle], [], [], 0)[0])
    print(struct.unpack("QQ12I", fcntl.ioctl(handle, GET_INFO, struct.pack("Q56x", 7)))[2:6])
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
