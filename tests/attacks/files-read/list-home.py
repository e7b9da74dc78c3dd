# SPDX-License-Identifier: GPL-3.0-or-later
# Lists the user's home.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

try:
    print(os.listdir(sys.argv[1]))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
