# SPDX-License-Identifier: GPL-3.0-or-later
# Takes an open file from another process of the user (pidfd_getfd).
#
# baseline: may the kernel can forbid it
# arguments: pid
# expect-status: ok
# expect-attempt: any
# machine: x86_64
# tiers: A A2 B
import ctypes
import os
import sys

SYS_pidfd_getfd = 438
libc = ctypes.CDLL(None, use_errno=True)
try:
    handle = os.pidfd_open(int(sys.argv[1]))
    print("SUCCEEDED" if libc.syscall(SYS_pidfd_getfd, handle, 0, 0) >= 0 else "STOPPED")
except OSError as error:
    print(error)
    print("STOPPED")
