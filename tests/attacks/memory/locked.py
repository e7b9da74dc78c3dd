# SPDX-License-Identifier: GPL-3.0-or-later
# Locks memory, so that it cannot be swapped out.
#
# baseline: may what may be locked depends on the session
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes
import mmap

MCL_CURRENT, MCL_FUTURE, MAP_LOCKED, MAP_HUGETLB = 1, 2, 0x2000, 0x40000
libc = ctypes.CDLL(None, use_errno=True)
succeeded = libc.mlockall(MCL_CURRENT | MCL_FUTURE) == 0
for flag in (MAP_LOCKED, MAP_HUGETLB):
    try:
        mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | flag)
        succeeded = True
    except OSError as error:
        print(error)
print("SUCCEEDED" if succeeded else "STOPPED")
