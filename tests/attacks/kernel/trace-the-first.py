# SPDX-License-Identifier: GPL-3.0-or-later
# Takes control of the first process.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls ptrace * denied
# tiers: A A2 B
import ctypes

PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
libc = ctypes.CDLL(None, use_errno=True)
succeeded = any(libc.ptrace(request, 1, None, None) == 0 for request in (PTRACE_ATTACH, PTRACE_SEIZE))
print("SUCCEEDED" if succeeded else "STOPPED")
