# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the key through links that it has made, so that the key's name is not in the call.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden|denied
# expect-attempt: filesystem create */shelf -> */.ssh observed
# tiers: A A2 B
import os
import sys

os.symlink(sys.argv[1] + "/.ssh", "shelf")
os.symlink("shelf", "drawer")
try:
    with open("drawer/id_rsa", encoding="ascii") as key:
        print(key.read())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
