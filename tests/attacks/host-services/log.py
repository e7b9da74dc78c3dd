# SPDX-License-Identifier: GPL-3.0-or-later
# Writes into the log of the system.
#
# baseline: works
# reaches: datagram
# arguments: datagram
# expect-status: ok
# expect-attempt: any
# expect-attempt-B: network socket AF_UNIX denied
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
        client.sendto(b"<13>evil", sys.argv[1])
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
