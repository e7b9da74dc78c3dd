# SPDX-License-Identifier: GPL-3.0-or-later
# Adds a file of its own as swap space.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls swapon * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_swapon = 167
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_swapon, b"/workspace/main.py", 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
