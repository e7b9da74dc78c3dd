# SPDX-License-Identifier: GPL-3.0-or-later
# Reserves requests that all programs of the machine share.
#
# baseline: works
# expect-status: ok
# expect-attempt: none
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_io_setup = 206
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_io_setup, 1, ctypes.byref(ctypes.c_ulong()))
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
