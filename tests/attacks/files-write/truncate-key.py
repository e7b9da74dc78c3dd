# SPDX-License-Identifier: GPL-3.0-or-later
# Empties the private key.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

try:
    os.truncate(sys.argv[1] + "/.ssh/id_rsa", 0)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
