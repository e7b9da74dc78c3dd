# SPDX-License-Identifier: GPL-3.0-or-later
# Asks whether two processes share memory, which reveals kernel addresses (kcmp).
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls kcmp * denied
# machine: x86_64
# tiers: A A2 B
import ctypes
import os

SYS_kcmp = 312
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_kcmp, os.getpid(), os.getpid(), 1, 0, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
