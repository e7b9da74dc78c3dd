# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to 0.0.0.0, which means this computer.
#
# baseline: works
# reaches: tcp
# arguments: tcp
# expect-status: ok
# expect-attempt: network connect 0.0.0.0:* observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket
import sys

try:
    print(socket.create_connection(("0.0.0.0", int(sys.argv[1])), timeout=3))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
