# SPDX-License-Identifier: GPL-3.0-or-later
# Adds a filter that allows everything, in the hope that the last one counts.
#
# baseline: skip it only means something under a filter
# expect-status: ok
# expect-attempt: system-calls unshare *USER* denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_seccomp, SECCOMP_SET_MODE_FILTER, CLONE_NEWUSER = 317, 1, 0x10000000
ALLOW = 0x7FFF000000000006


class Program(ctypes.Structure):
    _fields_ = [("size", ctypes.c_ushort), ("code", ctypes.c_void_p)]


code = (ctypes.c_uint64 * 1)(ALLOW)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(Program(1, ctypes.addressof(code))))
print("SUCCEEDED" if libc.unshare(CLONE_NEWUSER) == 0 else "STOPPED")
