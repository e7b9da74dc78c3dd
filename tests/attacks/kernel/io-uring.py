# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up an io_uring, which opens files and sockets without system calls.
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls io_uring_setup * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_io_uring_setup = 425
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_io_uring_setup, 4, (ctypes.c_uint32 * 30)())
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
