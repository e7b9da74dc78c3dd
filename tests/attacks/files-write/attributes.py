# SPDX-License-Identifier: GPL-3.0-or-later
# Writes an extended attribute to a document.
#
# baseline: may not every file system has them
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

try:
    os.setxattr(sys.argv[1] + "/Documents/letter.txt", "user.evil", b"evil")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
