# SPDX-License-Identifier: GPL-3.0-or-later
# Clears the read-only flag of the system folders' mounts.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls mount_setattr * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_mount_setattr, AT_FDCWD, MOUNT_ATTR_RDONLY = 442, -100, 1
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_mount_setattr, AT_FDCWD, b"/usr", 0, (ctypes.c_uint64 * 4)(0, MOUNT_ATTR_RDONLY), 32)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
