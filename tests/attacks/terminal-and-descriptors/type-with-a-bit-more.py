# SPDX-License-Identifier: GPL-3.0-or-later
# The same with an extra bit set, which the kernel ignores but a filter may not (CVE-2019-10063).
#
# baseline: skip the test has no terminal
# expect-status: ok
# expect-attempt: system-calls ioctl *TIOCSTI* denied
# machine: x86_64
# tiers: A A2 B
import ctypes
import errno

SYS_ioctl, TIOCSTI = 16, 0x5412
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall(ctypes.c_long(SYS_ioctl), ctypes.c_ulong(0), ctypes.c_ulong(TIOCSTI | 1 << 32), b"x")
print(errno.errorcode.get(ctypes.get_errno()))
print("STOPPED" if ctypes.get_errno() == errno.EPERM else "SUCCEEDED")
