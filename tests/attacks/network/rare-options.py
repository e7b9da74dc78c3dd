# SPDX-License-Identifier: GPL-3.0-or-later
# Sets rarely used socket options that had many vulnerabilities: filters, tunnels, other kinds of packets.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls setsockopt SO_ATTACH_FILTER denied
# expect-attempt-B: any
# tiers: A A2 B
import ctypes
import socket
import struct

accept_all = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xFFFFFFFF))
FILTER = struct.pack("HxxxxxxP", 1, ctypes.addressof(accept_all))
ON, OFF = struct.pack("i", 1), struct.pack("i", 0)
GROUP = socket.inet_aton("127.0.0.1")
TRIES = {
    "SO_ATTACH_FILTER": (socket.SOCK_DGRAM, 1, 26, FILTER),
    "SO_ATTACH_REUSEPORT_CBPF": (socket.SOCK_DGRAM, 1, 51, FILTER),
    "SO_LOCK_FILTER": (socket.SOCK_DGRAM, 1, 44, ON),
    "SO_ZEROCOPY": (socket.SOCK_STREAM, 1, 60, ON),
    "SO_TXTIME": (socket.SOCK_DGRAM, 1, 61, struct.pack("iI", 1, 0)),
    "UDP_ENCAP": (socket.SOCK_DGRAM, 17, 100, struct.pack("i", 2)),
    "TCP_MD5SIG": (socket.SOCK_STREAM, 6, 14,
                   struct.pack("=H2x4s120xBBHI80s", socket.AF_INET, GROUP, 0, 0, 4, 0, b"key!")),
    "TCP_TX_DELAY": (socket.SOCK_STREAM, 6, 37, ON),
    "TCP_REPAIR": (socket.SOCK_STREAM, 6, 19, ON),
    "IP_OPTIONS": (socket.SOCK_DGRAM, 0, 4, b"\1\1\1\0"),
    "IP_ADD_SOURCE_MEMBERSHIP": (socket.SOCK_DGRAM, 0, 39, socket.inet_aton("232.1.1.1") + GROUP + GROUP),
    "MCAST_JOIN_SOURCE_GROUP": (socket.SOCK_DGRAM, 0, 46,
                                struct.pack("=I4xH2x4s120xH2x4s120x", 1, socket.AF_INET, socket.inet_aton("232.1.1.1"),
                                            socket.AF_INET, GROUP)),
}
TRIES_6 = {
    "IPV6_HOPOPTS": (socket.SOCK_DGRAM, 41, 54, struct.pack("8B", 0, 0, 1, 4, 0, 0, 0, 0)),
    "IPV6_DSTOPTS": (socket.SOCK_DGRAM, 41, 59, struct.pack("8B", 0, 0, 1, 4, 0, 0, 0, 0)),
    "IPV6_2292PKTOPTIONS": (socket.SOCK_DGRAM, 41, 6, b""),
    "IPV6_FLOWLABEL_MGR": (socket.SOCK_DGRAM, 41, 32, b""),
}
done = []
for family, tries in ((socket.AF_INET, TRIES), (socket.AF_INET6, TRIES_6)):
    for name, (kind, level, option, value) in tries.items():
        try:
            with socket.socket(family, kind) as one:
                one.setsockopt(level, option, value)
                done.append(name)
        except OSError as error:
            print(name, error)
print(done)
print("SUCCEEDED" if done else "STOPPED")
