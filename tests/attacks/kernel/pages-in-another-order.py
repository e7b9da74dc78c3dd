# SPDX-License-Identifier: GPL-3.0-or-later
# Maps the pages of a file in another order, with an obsolete call.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls remap_file_pages * denied
# machine: x86_64
# tiers: A A2 B
import ctypes
import mmap

SYS_remap_file_pages = 216
libc = ctypes.CDLL(None, use_errno=True)
memory = mmap.mmap(-1, 4 * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
result = libc.syscall(SYS_remap_file_pages, ctypes.c_void_p(start), ctypes.c_size_t(mmap.PAGESIZE), 0,
                      ctypes.c_size_t(2), 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result == 0 else "STOPPED")
