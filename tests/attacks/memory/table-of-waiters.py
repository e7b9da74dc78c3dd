# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernel allocate a huge futex table for each process, charged to no process.
#
# baseline: may the kernel is older than such tables
# expect-status: ok
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import ctypes
import errno

PR_FUTEX_HASH, SET_SLOTS = 78, 1
libc = ctypes.CDLL(None, use_errno=True)
result = libc.prctl(PR_FUTEX_HASH, SET_SLOTS, ctypes.c_ulong(1 << 16), ctypes.c_ulong(0), ctypes.c_ulong(0))
print(result, errno.errorcode.get(ctypes.get_errno()))
print("SUCCEEDED" if result == 0 else "STOPPED")
