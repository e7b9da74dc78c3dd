# SPDX-License-Identifier: GPL-3.0-or-later
# Maps memory that not even the kernel can read (memfd_secret).
#
# baseline: may the kernel can be started without it
# expect-status: ok
# expect-attempt: system-calls memfd_secret * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_memfd_secret = 447
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.syscall(SYS_memfd_secret, 0) >= 0 else "STOPPED")
