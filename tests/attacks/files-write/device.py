# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a device file to read the disk.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: privileges mknod|mknodat */disk denied
# tiers: A A2 B
import os
import stat

for kind, number in ((stat.S_IFBLK, os.makedev(8, 0)), (stat.S_IFBLK, os.makedev(254, 0)),
                     (stat.S_IFCHR, os.makedev(1, 1))):
    try:
        os.mknod("disk", kind | 0o600, number)
        os.open("disk", os.O_RDWR)
        print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
