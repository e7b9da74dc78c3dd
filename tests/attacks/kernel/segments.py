# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a local descriptor table, a part of the kernel with many vulnerabilities.
#
# baseline: may the kernel can be built without it
# expect-status: ok
# expect-attempt: system-calls modify_ldt * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_modify_ldt = 154
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_modify_ldt, 0, ctypes.create_string_buffer(64), 64)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
