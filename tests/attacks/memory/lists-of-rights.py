# SPDX-License-Identifier: GPL-3.0-or-later
# Gives empty files long access control lists, which count neither as memory nor as disk space.
#
# baseline: may not every file system has them
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os
import struct

USER_OBJ, USER, GROUP_OBJ, MASK, OTHER, NOBODY = 1, 2, 4, 0x10, 0x20, 0xFFFFFFFF


def rights(count):
    entries = [(USER_OBJ, 7, NOBODY), *[(USER, 7, os.getuid())] * count, (GROUP_OBJ, 5, NOBODY), (MASK, 7, NOBODY),
               (OTHER, 5, NOBODY)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


# As many as there may be in memory, and on a disk.
for size in (8100, 300):
    made = 0
    try:
        for number in range(100):
            open(f"file-{number}", "w").close()
            os.setxattr(f"file-{number}", "system.posix_acl_access", rights(size))
            made += 1
    except OSError as error:
        print(error)
    print(made, "lists of", size)
    if made:
        print("SUCCEEDED")
        break
else:
    print("STOPPED")
