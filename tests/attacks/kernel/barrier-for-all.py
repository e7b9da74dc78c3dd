# SPDX-License-Identifier: GPL-3.0-or-later
# Makes all processors of the machine stop for a moment, again and again.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls membarrier * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_membarrier, QUERY = 324, 0
# GLOBAL, GLOBAL_EXPEDITED, its registration, and what is not known yet
COMMANDS = (1, 2, 4, 1 << 10)
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(SYS_membarrier, QUERY, 0, 0))
results = [libc.syscall(SYS_membarrier, command, 0, 0) for command in COMMANDS]
print(results)
print("SUCCEEDED" if 0 in results else "STOPPED")
