# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the user's private key by a path in memory that may only be written: the kernel can read it, who looks on may not.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open * observed|hidden
# expect-attempt-B: filesystem open */.ssh/id_rsa denied
# tiers: A A2 B
import ctypes
import mmap
import os
import sys

PROT_WRITE, SYS_OPENAT, AT_FDCWD = 2, 257, -100
if os.uname().machine == "aarch64":
    SYS_OPENAT = 56
libc = ctypes.CDLL(None, use_errno=True)
path = (sys.argv[1] + "/.ssh/id_rsa").encode()
memory = mmap.mmap(-1, mmap.PAGESIZE)
memory[:len(path) + 1] = path + b"\0"
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc.mprotect(ctypes.c_void_p(address), mmap.PAGESIZE, PROT_WRITE)
fd = libc.syscall(SYS_OPENAT, AT_FDCWD, ctypes.c_void_p(address), os.O_RDONLY)
if fd >= 0:
    print(os.read(fd, 4096))
    print("SUCCEEDED")
else:
    print(os.strerror(ctypes.get_errno()))
    print("STOPPED")
