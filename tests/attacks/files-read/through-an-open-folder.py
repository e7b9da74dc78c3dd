# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the key through the root, which it has open: the path begins with /proc.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden|denied
# tiers: A A2 B
import os
import sys

root = os.open("/", os.O_PATH)
try:
    with open(f"/proc/self/fd/{root}{sys.argv[1]}/.ssh/id_rsa", encoding="ascii") as key:
        print(key.read())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
