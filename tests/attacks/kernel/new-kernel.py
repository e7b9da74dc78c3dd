# SPDX-License-Identifier: GPL-3.0-or-later
# Starts another kernel.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls kexec_load * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_kexec_load = 246
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_kexec_load, 0, 0, 0, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
