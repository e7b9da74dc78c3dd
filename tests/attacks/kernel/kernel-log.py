# SPDX-License-Identifier: GPL-3.0-or-later
# Reads what the kernel has logged.
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls syslog * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_syslog, SYSLOG_ACTION_SIZE_BUFFER = 103, 10
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_syslog, SYSLOG_ACTION_SIZE_BUFFER, 0, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
