# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the private key world-readable: changes its mode, not its content.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem change attributes of */.ssh/id_rsa hidden|denied
# tiers: A A2 B
import os
import sys

try:
    os.chmod(sys.argv[1] + "/.ssh/id_rsa", 0o644)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
