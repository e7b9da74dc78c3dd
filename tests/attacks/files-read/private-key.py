# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the user's private key by its path.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden
# expect-attempt-B: filesystem open */.ssh/id_rsa denied
# tiers: A A2 B
import sys

try:
    print(open(sys.argv[1] + "/.ssh/id_rsa", encoding="ascii").read())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
