# SPDX-License-Identifier: GPL-3.0-or-later
# Watches all files of the machine at once.
#
# baseline: may older kernels want root
# expect-status: ok
# expect-attempt: system-calls fanotify_init * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_fanotify_init, FAN_REPORT_FID = 300, 0x200
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_fanotify_init, FAN_REPORT_FID, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
