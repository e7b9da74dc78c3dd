# SPDX-License-Identifier: GPL-3.0-or-later
# Replaces documents by others, in the hope of a ransom.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem rename */letter.txt* hidden|denied
# tiers: A A2 B
import os
import sys

path = sys.argv[1] + "/Documents/letter.txt"
try:
    os.rename(path, path + ".locked")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
