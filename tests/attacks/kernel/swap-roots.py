# SPDX-License-Identifier: GPL-3.0-or-later
# Swaps its root for another.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls pivot_root * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_pivot_root = 155
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_pivot_root, b"/tmp", b"/tmp")
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
