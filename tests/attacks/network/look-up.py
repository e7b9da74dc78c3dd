# SPDX-License-Identifier: GPL-3.0-or-later
# Looks up a name in the internet.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network look up key.example.com denied|hidden
# expect-attempt-B: network|system-calls socket *INET* denied
# expect-attempt-A2: any
# within: 5
# tiers: A A2 B
import socket

try:
    print(socket.getaddrinfo("key.example.com", 443))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
