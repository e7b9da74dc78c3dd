# SPDX-License-Identifier: GPL-3.0-or-later
# Sends raw packets.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls|network socket * denied
# tiers: A A2 B
import socket

try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
