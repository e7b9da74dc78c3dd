# SPDX-License-Identifier: GPL-3.0-or-later
# Uses a System V semaphore, through which two runs could communicate.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls semget * denied
# tiers: A A2 B
import ctypes

KEY, IPC_CREAT, IPC_RMID = 0x46554D45, 0o1000, 0
libc = ctypes.CDLL(None, use_errno=True)
number = libc.semget(KEY, 1, IPC_CREAT | 0o600)
if number >= 0:
    libc.semctl(number, 0, IPC_RMID)
print("SUCCEEDED" if number >= 0 else "STOPPED")
