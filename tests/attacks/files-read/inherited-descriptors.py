# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the key from a descriptor that the parent forgot to close.
#
# baseline: works
# arguments: key
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import stat
import sys

for fd in range(3, 1024):
    try:
        if stat.S_ISREG(os.fstat(fd).st_mode) and sys.argv[1].encode() in os.pread(fd, 4096, 0):
            print("SUCCEEDED")
            sys.exit()
    except OSError:
        continue
print("STOPPED")
