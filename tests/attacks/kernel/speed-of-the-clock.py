# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the machine's clock run faster.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls clock_adjtime|adjtimex * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_clock_adjtime, CLOCK_REALTIME, ADJ_FREQUENCY = 305, 0, 2
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_clock_adjtime, CLOCK_REALTIME, (ctypes.c_uint64 * 32)(ADJ_FREQUENCY))
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
