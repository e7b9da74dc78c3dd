# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the session's service manager start a program outside, through the session bus.
#
# baseline: works
# reaches: bus
# arguments: bus
# expect-status: ok
# expect-attempt: network connect */bus hidden|denied|observed
# expect-attempt-B: network socket AF_UNIX denied
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(sys.argv[1])
        print("SUCCEEDED")
        client.send(b"\0AUTH EXTERNAL 31303030\r\n")
except OSError as error:
    print(error)
    print("STOPPED")
