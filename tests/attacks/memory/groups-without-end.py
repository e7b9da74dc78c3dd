# SPDX-License-Identifier: GPL-3.0-or-later
# Joins thousands of multicast groups, in memory that is charged to no process.
#
# baseline: may there may be no IPv6
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import socket
import struct

IPV6_JOIN_GROUP, MCAST_JOIN_GROUP = 20, 42
joined, last = 0, None
try:
    lo = socket.if_nametoindex("lo")
    for option in (IPV6_JOIN_GROUP, MCAST_JOIN_GROUP):
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
            for number in range(300):
                address = socket.inet_pton(socket.AF_INET6, f"ff05::{number:x}")
                if option == IPV6_JOIN_GROUP:
                    value = address + struct.pack("I", lo)
                else:
                    value = struct.pack("I4xHHI16sI100x", lo, socket.AF_INET6, 0, 0, address, 0)
                try:
                    one.setsockopt(socket.IPPROTO_IPV6, option, value)
                    joined += 1
                except OSError as error:
                    last = error
                    break
    print(joined, last)
except OSError as error:
    print(joined, error)
print("SUCCEEDED" if joined > 20 else "STOPPED")
