# SPDX-License-Identifier: GPL-3.0-or-later
# Clones a mount, to attach it elsewhere.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls open_tree * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_open_tree, OPEN_TREE_CLONE, AT_FDCWD = 428, 1, -100
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_open_tree, AT_FDCWD, b"/usr", OPEN_TREE_CLONE)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
