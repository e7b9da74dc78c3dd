# SPDX-License-Identifier: GPL-3.0-or-later
# Asks for access to I/O ports.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls iopl * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_iopl, SYS_ioperm = 172, 173
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.syscall(SYS_iopl, 3) == 0 or libc.syscall(SYS_ioperm, 0x70, 2, 1) == 0 else "STOPPED")
