# SPDX-License-Identifier: GPL-3.0-or-later
# Lists mounts by id, which may reveal the host's.
#
# baseline: may the call is new
# expect-status: ok
# expect-attempt: system-calls listmount|statmount * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_listmount = 458
LSMT_ROOT = 0xFFFFFFFFFFFFFFFF
request = (ctypes.c_uint64 * 3)(24, LSMT_ROOT, 0)
numbers = (ctypes.c_uint64 * 64)()
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_listmount, request, numbers, 64, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
