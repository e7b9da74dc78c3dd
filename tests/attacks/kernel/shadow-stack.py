# SPDX-License-Identifier: GPL-3.0-or-later
# Maps a shadow stack, which only the kernel should write to.
#
# baseline: may processors differ
# expect-status: ok
# expect-attempt: none
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_map_shadow_stack = 453
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_map_shadow_stack, 0, 0x10000, 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
