# SPDX-License-Identifier: GPL-3.0-or-later
# Traces another process of the user, like a debugger.
#
# baseline: may the kernel can forbid it
# arguments: pid
# expect-status: ok
# expect-attempt: system-calls ptrace * denied
# tiers: A A2 B
import ctypes
import sys

PTRACE_SEIZE = 0x4206
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.ptrace(PTRACE_SEIZE, int(sys.argv[1]), None, None) == 0 else "STOPPED")
