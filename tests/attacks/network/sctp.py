# SPDX-License-Identifier: GPL-3.0-or-later
# Uses SCTP, a protocol that is rarely watched.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls|network socket * denied
# tiers: A A2 B
import socket

for kind, protocol in ((socket.SOCK_STREAM, 132), (socket.SOCK_STREAM, 262), (socket.SOCK_DGRAM, 136)):
    try:
        socket.socket(socket.AF_INET, kind, protocol)
        print("SUCCEEDED")
    except OSError as error:
        print(protocol, error)
print("STOPPED")
