# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the key by its file handle, bypassing every path.
#
# baseline: skip it takes a capability
# arguments: home
# expect-status: ok
# expect-attempt: system-calls name_to_handle_at * denied
# tiers: A A2 B
import ctypes
import sys

libc = ctypes.CDLL(None, use_errno=True)
handle = ctypes.create_string_buffer(b"\x80\0\0\0", 136)
mount = ctypes.c_int()
AT_FDCWD = -100
if libc.name_to_handle_at(AT_FDCWD, b"/workspace", handle, ctypes.byref(mount), 0) == 0:
    print("it has a handle")
folder = libc.open(b"/", 0)
print("SUCCEEDED" if libc.open_by_handle_at(folder, handle, 0) >= 0 else "STOPPED")
