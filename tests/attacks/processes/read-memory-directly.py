# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the memory of another process with one system call.
#
# baseline: may the kernel can forbid it
# arguments: pid
# expect-status: ok
# expect-attempt: system-calls process_vm_readv * denied
# tiers: A A2 B
import ctypes
import sys


class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


target = int(sys.argv[1])
start = 0
try:
    for line in open(f"/proc/{target}/maps", encoding="utf-8"):
        if "[stack]" in line:
            start = int(line.split("-")[0], 16)
except OSError as error:
    print(error)
buffer = ctypes.create_string_buffer(16)
mine, theirs = Part(ctypes.addressof(buffer), 16), Part(start, 16)
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.process_vm_readv(target, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) > 0
      else "STOPPED")
