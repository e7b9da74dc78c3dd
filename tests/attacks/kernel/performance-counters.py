# SPDX-License-Identifier: GPL-3.0-or-later
# Counts processor events, which reveals secrets of other programs.
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls perf_event_open * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_perf_event_open = 298
PERF_TYPE_SOFTWARE, SIZE = 1, 64
attributes = (ctypes.c_uint64 * 16)(PERF_TYPE_SOFTWARE | SIZE << 32, 0)
attributes[5] = 0b1100001
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
