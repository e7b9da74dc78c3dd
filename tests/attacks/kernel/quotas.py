# SPDX-License-Identifier: GPL-3.0-or-later
# Changes disk quotas.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls quotactl * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_quotactl = 179
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_quotactl, 0x80000200, b"/dev/vda", 0, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
