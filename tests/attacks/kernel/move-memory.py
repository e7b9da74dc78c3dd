# SPDX-License-Identifier: GPL-3.0-or-later
# Moves the memory of a process to another node, which reveals where it is.
#
# baseline: may the kernel can be built without it
# expect-status: ok
# expect-attempt: system-calls move_pages * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_move_pages = 279
buffer = ctypes.create_string_buffer(8192)
pages = (ctypes.c_void_p * 1)(ctypes.addressof(buffer))
status = (ctypes.c_int * 1)()
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_move_pages, 0, 1, pages, 0, status, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
