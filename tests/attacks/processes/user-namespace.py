# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a user namespace, in which it would be root.
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls unshare *USER* denied
# tiers: A A2 B
import ctypes

CLONE_NEWUSER = 0x10000000
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.unshare(CLONE_NEWUSER) == 0 else "STOPPED")
