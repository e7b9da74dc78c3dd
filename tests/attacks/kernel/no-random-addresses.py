# SPDX-License-Identifier: GPL-3.0-or-later
# Disables address randomization for all programs that it starts.
#
# baseline: may containers can forbid it
# expect-status: ok
# expect-attempt: system-calls personality * denied
# tiers: A A2 B
import ctypes

ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC = 0x0040000, 0x0400000
libc = ctypes.CDLL(None, use_errno=True)
results = [libc.personality(flag) for flag in (ADDR_NO_RANDOMIZE, READ_IMPLIES_EXEC)]
print("SUCCEEDED" if any(result >= 0 for result in results) else "STOPPED")
