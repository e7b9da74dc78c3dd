# SPDX-License-Identifier: GPL-3.0-or-later
# Sends a datagram to a server on this computer, which needs no connection.
#
# baseline: works
# reaches: udp
# arguments: udp
# expect-status: ok
# expect-attempt: network send to 127.0.0.1:* observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        address = ("127.0.0.1", int(sys.argv[1]))
        client.sendto(b"secret", address)
        client.connect(address)
        client.send(b"secret")
        client.settimeout(0.1)
        client.recv(10)
except TimeoutError:
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
