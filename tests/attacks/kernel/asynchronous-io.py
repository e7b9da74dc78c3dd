# SPDX-License-Identifier: GPL-3.0-or-later
# Reserves asynchronous requests, which all programs of the machine share, and makes the related calls, which
# had many vulnerabilities.
#
# baseline: works
# expect-status: ok
# expect-attempt: none
# machine: x86_64
# tiers: A A2 B
import ctypes
import errno

SYS_io_setup = 206
# io_destroy, io_getevents, io_submit, io_cancel, io_pgetevents
OTHERS = (207, 208, 209, 210, 333)
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_io_setup, 1, ctypes.byref(ctypes.c_ulong()))
print(result, ctypes.get_errno())
errors = set()
for number in OTHERS:
    libc.syscall(number, *[ctypes.c_ulong(0)] * 5)
    errors.add(ctypes.get_errno())
print(errors)
print("SUCCEEDED" if result >= 0 or errors != {errno.ENOSYS} else "STOPPED")
