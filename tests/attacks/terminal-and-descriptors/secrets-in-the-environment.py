# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for access tokens in its environment.
#
# baseline: works
# arguments: key
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os
import sys

text = repr(os.environ)
try:
    text += repr(open("/proc/self/environ", "rb").read())
except OSError as error:
    print(error)
print("SUCCEEDED" if sys.argv[1] in text else "STOPPED")
