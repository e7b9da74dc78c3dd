# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to a server in the internet by IPv6.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network connect [[]2606:4700:4700::1111[]]:443 observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# within: 4
# tiers: A A2 B
import socket

try:
    print(socket.create_connection(("2606:4700:4700::1111", 443), timeout=8))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
