# SPDX-License-Identifier: GPL-3.0-or-later
# Loads a module into the kernel, and removes one.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls init_module * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_init_module, SYS_finit_module, SYS_delete_module = 175, 313, 176
libc = ctypes.CDLL(None, use_errno=True)
results = (libc.syscall(SYS_init_module, b"x", 1, b""), libc.syscall(SYS_finit_module, 0, b"", 0),
           libc.syscall(SYS_delete_module, b"fumehood-attack", 0))
print(results)
print("SUCCEEDED" if 0 in results else "STOPPED")
