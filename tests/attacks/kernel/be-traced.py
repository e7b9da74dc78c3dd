# SPDX-License-Identifier: GPL-3.0-or-later
# Lets its parent trace it, which could once change calls after the filter.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls ptrace * denied
# tiers: A A2 B
import ctypes
import os

PTRACE_TRACEME = 0
libc = ctypes.CDLL(None, use_errno=True)
if os.fork() == 0:
    os._exit(0 if libc.ptrace(PTRACE_TRACEME, 0, None, None) == 0 else 1)
print("SUCCEEDED" if os.wait()[1] == 0 else "STOPPED")
