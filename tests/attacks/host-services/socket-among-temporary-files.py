# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to a server whose socket is in /tmp, like those of displays and agents.
#
# baseline: works
# reaches: display
# arguments: display
# expect-status: ok
# expect-attempt: network connect /tmp/fh-decoy-* hidden
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
