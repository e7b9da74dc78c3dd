# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to a server on this computer, such as a database.
#
# baseline: works
# reaches: tcp
# arguments: tcp
# expect-status: ok
# expect-attempt: network connect 127.0.0.1:* observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket
import sys

try:
    print(socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=3))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
