# SPDX-License-Identifier: GPL-3.0-or-later
# Sends an open folder of its own to a server of the host.
#
# baseline: works
# reaches: unix
# arguments: unix
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(sys.argv[1])
        print("SUCCEEDED")
        socket.send_fds(client, [b"x"], [os.open("/", os.O_RDONLY)])
except OSError as error:
    print(error)
    print("STOPPED")
