# SPDX-License-Identifier: GPL-3.0-or-later
# Writes into the memory of the first process.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls process_vm_writev * denied
# tiers: A A2 B
import ctypes


class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


buffer = ctypes.create_string_buffer(16)
part = Part(ctypes.addressof(buffer), 16)
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.process_vm_writev(1, ctypes.byref(part), 1, ctypes.byref(part), 1, 0) > 0 else "STOPPED")
