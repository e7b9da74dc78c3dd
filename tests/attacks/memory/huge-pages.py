# SPDX-License-Identifier: GPL-3.0-or-later
# Takes huge pages that the computer reserves for others, which are charged to no process.
#
# baseline: may few computers set some aside
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import mmap

MAP_HUGETLB = 0x40000
SIZE = 2 << 20

try:
    pages = mmap.mmap(-1, SIZE, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | MAP_HUGETLB)
    pages[:SIZE] = b"x" * SIZE
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
