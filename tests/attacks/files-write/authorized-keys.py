# SPDX-License-Identifier: GPL-3.0-or-later
# Adds an SSH key, to log in from elsewhere.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem create|write to */authorized_keys hidden|denied
# tiers: A A2 B
import sys

try:
    with open(sys.argv[1] + "/.ssh/authorized_keys", "a", encoding="ascii") as file:
        file.write("ssh-ed25519 AAAA evil\n")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
