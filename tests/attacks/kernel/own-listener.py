# SPDX-License-Identifier: GPL-3.0-or-later
# Asks to decide about its children's system calls instead of the guard.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls seccomp *LISTENER* denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_seccomp, SECCOMP_SET_MODE_FILTER, NEW_LISTENER, PR_SET_NO_NEW_PRIVS = 317, 1, 8, 38
ALLOW = 0x7FFF000000000006


class Program(ctypes.Structure):
    _fields_ = [("size", ctypes.c_ushort), ("code", ctypes.c_void_p)]


code = (ctypes.c_uint64 * 1)(ALLOW)
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
result = libc.syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, NEW_LISTENER,
                      ctypes.byref(Program(1, ctypes.addressof(code))))
print("SUCCEEDED" if result >= 0 else "STOPPED")
