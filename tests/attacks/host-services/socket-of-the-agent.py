# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to the SSH agent by the path of its socket.
#
# baseline: works
# reaches: unix
# arguments: unix
# expect-status: ok
# expect-attempt: network connect */agent.sock hidden|denied|observed
# expect-attempt-B: any
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(sys.argv[1])
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
