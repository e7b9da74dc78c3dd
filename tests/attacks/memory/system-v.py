# SPDX-License-Identifier: GPL-3.0-or-later
# Makes System V shared memory, which remains when all processes are gone.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls shmget * denied
# tiers: A A2 B
import ctypes

KEY, IPC_CREAT, IPC_RMID = 0x46554D45, 0o1000, 0
libc = ctypes.CDLL(None, use_errno=True)
number = libc.shmget(KEY, 4096, IPC_CREAT | 0o600)
if number >= 0:
    libc.shmctl(number, IPC_RMID, None)
print("SUCCEEDED" if number >= 0 else "STOPPED")
