# SPDX-License-Identifier: GPL-3.0-or-later
# Replaces a program of the system.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: filesystem write to /usr/bin/ls denied
# tiers: A A2 B
try:
    with open("/usr/bin/ls", "r+b") as file:
        file.write(b"evil")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
