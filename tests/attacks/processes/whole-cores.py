# SPDX-License-Identifier: GPL-3.0-or-later
# Asks for whole cores: while it runs, no other program may use the core's other threads.
#
# baseline: may the kernel and the processor may not have it
# expect-status: ok
# expect-attempt: system-calls prctl PR_SCHED_CORE denied
# tiers: A A2 B
import ctypes

PR_SCHED_CORE, CREATE = 62, 1
libc = ctypes.CDLL(None, use_errno=True)
result = libc.prctl(PR_SCHED_CORE, CREATE, 0, 1, None)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result == 0 else "STOPPED")
