# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to a server with an abstract socket name, as X servers and buses have.
#
# baseline: works
# reaches: abstract
# arguments: abstract
# expect-status: ok
# expect-attempt: network connect @* hidden|denied|observed
# expect-attempt-B: any
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + sys.argv[1])
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
