# SPDX-License-Identifier: GPL-3.0-or-later
# Unmounts file systems to see what is below.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls umount2|umount * denied
# tiers: A A2 B
import ctypes

MNT_DETACH = 2
libc = ctypes.CDLL(None, use_errno=True)
succeeded = False
for path in (b"/proc", b"/usr", b"/tmp", b"/workspace", b"/dev/shm", b"/"):
    succeeded = libc.umount2(path, MNT_DETACH) == 0 or succeeded
print("SUCCEEDED" if succeeded else "STOPPED")
