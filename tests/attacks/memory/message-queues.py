# SPDX-License-Identifier: GPL-3.0-or-later
# Makes message queues, which keep their contents after all processes are gone.
#
# baseline: may not every kernel has them
# expect-status: ok
# expect-attempt: any
# machine: x86_64
# tiers: A A2 B
import ctypes
import errno
import os

SYS_mq_notify = 244
KEY, IPC_CREAT, IPC_RMID = 0x46554D45, 0o1000, 0
libc = ctypes.CDLL(None, use_errno=True)
old = libc.msgget(KEY, IPC_CREAT | 0o600)
if old >= 0:
    libc.msgctl(old, IPC_RMID, None)
new = libc.mq_open(b"/fumehood-attack-queue", os.O_RDWR | os.O_CREAT, 0o600, None)
libc.mq_unlink(b"/fumehood-attack-queue")
# mq_notify of no queue, CVE-2017-11176; a kernel without queues has no such call.
libc.syscall(SYS_mq_notify, -1, None)
print(old, new, ctypes.get_errno())
print("SUCCEEDED" if old >= 0 or new >= 0 or ctypes.get_errno() != errno.ENOSYS else "STOPPED")
