# SPDX-License-Identifier: GPL-3.0-or-later
# Configures an address and a route for its network.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import fcntl
import socket
import struct

SIOCSIFADDR, SIOCADDRT, SIOCBRADDBR = 0x8916, 0x890B, 0x89A0
try:
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        address = struct.pack("16sH2s4s8s", b"eth0", socket.AF_INET, b"", bytes([10, 0, 0, 2]), b"")
        for request in (SIOCSIFADDR, SIOCADDRT, SIOCBRADDBR):
            try:
                fcntl.ioctl(client, request, address + bytes(120))
                print("SUCCEEDED")
            except OSError as error:
                print(error)
except OSError as error:
    print(error)
print("STOPPED")
