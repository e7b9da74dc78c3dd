# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the key one of its result files with a hard link.
#
# baseline: may the working folder can be on another file system
# arguments: home
# expect-status: ok
# expect-attempt: filesystem link to */.ssh/id_rsa hidden|denied
# tiers: A A2 B
import os
import sys

try:
    os.link(sys.argv[1] + "/.ssh/id_rsa", "out.txt")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
