# SPDX-License-Identifier: GPL-3.0-or-later
# Makes queues of messages, which keep what is in them when all processes are gone.
#
# baseline: may not every kernel has them
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes
import os

KEY, IPC_CREAT, IPC_RMID = 0x46554D45, 0o1000, 0
libc = ctypes.CDLL(None, use_errno=True)
old = libc.msgget(KEY, IPC_CREAT | 0o600)
if old >= 0:
    libc.msgctl(old, IPC_RMID, None)
new = libc.mq_open(b"/fumehood-attack-queue", os.O_RDWR | os.O_CREAT, 0o600, None)
libc.mq_unlink(b"/fumehood-attack-queue")
print(old, new)
print("SUCCEEDED" if old >= 0 or new >= 0 else "STOPPED")
