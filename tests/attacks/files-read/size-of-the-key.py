# SPDX-License-Identifier: GPL-3.0-or-later
# Asks whether the private key exists and how large it is, without opening it.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import os
import sys

try:
    print(os.stat(sys.argv[1] + "/.ssh/id_rsa"))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
