# SPDX-License-Identifier: GPL-3.0-or-later
# Pings a server; the data of a ping can carry a secret.
#
# baseline: may the kernel lets only some groups ping
# expect-status: ok
# expect-attempt: system-calls|network socket *ICMP* denied
# tiers: A A2 B
import socket

try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
