# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernel log every process that ends.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls acct * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_acct = 163
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_acct, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
