# SPDX-License-Identifier: GPL-3.0-or-later
# Captures all packets of the network.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls|network socket *PACKET* denied
# tiers: A A2 B
import socket

try:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
