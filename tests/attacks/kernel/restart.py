# SPDX-License-Identifier: GPL-3.0-or-later
# Restarts the machine. (With a number that the kernel would not accept.)
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls reboot * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_reboot = 169
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_reboot, 1, 2, 3, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
