# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes itself root in a user namespace of its own, the first step of many kernel exploits."""

import ctypes
import os

CLONE_NEWUSER = 0x10000000

libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(CLONE_NEWUSER) == 0:
    print("It worked: a new user namespace")
else:
    print(f"Stopped: {os.strerror(ctypes.get_errno())}")
