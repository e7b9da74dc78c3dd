# SPDX-License-Identifier: GPL-3.0-or-later
# Announces itself to all devices on the local network.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network send to 224.0.0.251:5353 observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket

try:
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        client.sendto(b"hello", ("224.0.0.251", 5353))
        client.sendto(b"hello", ("255.255.255.255", 9))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
