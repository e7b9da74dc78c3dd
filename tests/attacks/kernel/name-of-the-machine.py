# SPDX-License-Identifier: GPL-3.0-or-later
# Gives the machine another name.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls sethostname * denied
# tiers: A A2 B
import socket

try:
    socket.sethostname("evil")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
