# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for other computers and the router in the local network.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network connect 192.168.1.1:80 observed|denied
# expect-attempt: network connect 10.0.0.1:22 observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# within: 5
# tiers: A A2 B
import socket
import sys

for address in (("192.168.1.1", 80), ("10.0.0.1", 22), ("172.17.0.1", 2375), ("192.168.122.1", 53)):
    try:
        print(socket.create_connection(address, timeout=2))
        print("SUCCEEDED")
        sys.exit()
    except OSError as error:
        print(error)
print("STOPPED")
