# SPDX-License-Identifier: GPL-3.0-or-later
# Goes up from the working folder beyond the root, and down to the key.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden|denied
# tiers: A A2 B
import sys

try:
    print(open("../" * 40 + sys.argv[1] + "/.ssh/id_rsa", encoding="ascii").read())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
