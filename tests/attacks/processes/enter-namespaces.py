# SPDX-License-Identifier: GPL-3.0-or-later
# Enters the namespaces of another process.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls setns * denied
# tiers: A A2 B
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
succeeded = False
for name in ("mnt", "net", "pid", "user"):
    try:
        handle = os.open(f"/proc/1/ns/{name}", os.O_RDONLY)
    except OSError:
        handle = os.open(f"/proc/self/ns/{name}", os.O_RDONLY)
    succeeded = succeeded or libc.setns(handle, 0) == 0
print("SUCCEEDED" if succeeded else "STOPPED")
