# SPDX-License-Identifier: GPL-3.0-or-later
# Changes the modification time of a document to hide a change.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem change attributes of */Documents/letter.txt hidden|denied
# tiers: A A2 B
import os
import sys

try:
    os.utime(sys.argv[1] + "/Documents/letter.txt", (0, 0))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
