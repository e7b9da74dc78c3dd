# SPDX-License-Identifier: GPL-3.0-or-later
# Drops files of the system from memory and looks whether they come back, which reveals what others read: by reads
# that do not wait for a disk, and through a mapping.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls preadv2 * denied
# tiers: A A2 B
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
found = []
with open("/usr/bin/env", "rb") as file:
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    for _ in range(2):
        try:
            found.append(os.preadv(file.fileno(), [bytearray(4096)], 0, os.RWF_NOWAIT))
        except BlockingIOError:
            found.append(0)
        except OSError as error:
            print(error)
        os.pread(file.fileno(), 4096, 0)
    pages = mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(pages))
    if libc.mincore(ctypes.c_void_p(address), 4096, ctypes.create_string_buffer(1)) == 0:
        found.append("mincore")
print(found)
print("SUCCEEDED" if found else "STOPPED")
