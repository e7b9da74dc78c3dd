# SPDX-License-Identifier: GPL-3.0-or-later
# Loads a program into the kernel (bpf).
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls bpf * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_bpf, BPF_MAP_CREATE = 321, 0
BPF_MAP_TYPE_ARRAY = 2
attributes = (ctypes.c_uint32 * 18)(BPF_MAP_TYPE_ARRAY, 4, 4, 1)
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_bpf, BPF_MAP_CREATE, attributes, 72)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
