# SPDX-License-Identifier: GPL-3.0-or-later
# Changes the kernel's record of its memory layout, with a call meant for checkpoint and restore.
#
# baseline: may kernels differ in who may do it
# expect-status: ok
# expect-attempt: system-calls prctl PR_SET_MM denied
# tiers: A A2 B
import ctypes

PR_SET_MM, PR_SET_MM_MAP_SIZE = 35, 15
libc = ctypes.CDLL(None, use_errno=True)
size = ctypes.c_uint()
result = libc.prctl(PR_SET_MM, PR_SET_MM_MAP_SIZE, ctypes.byref(size), 0, 0)
print(result, ctypes.get_errno(), size)
print("SUCCEEDED" if result == 0 else "STOPPED")
