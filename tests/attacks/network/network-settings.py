# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the kernel for the addresses and routes of the computer (AF_NETLINK).
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import socket

succeeded = False
for protocol in (0, 4, 9, 15, 16):
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
        succeeded = True
    except OSError as error:
        print(error)
print("SUCCEEDED" if succeeded else "STOPPED")
