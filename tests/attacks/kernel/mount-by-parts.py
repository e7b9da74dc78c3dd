# SPDX-License-Identifier: GPL-3.0-or-later
# Mounts with the new calls, in several steps.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls fsopen * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_fsopen = 430
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_fsopen, b"tmpfs", 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
