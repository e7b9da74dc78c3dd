# SPDX-License-Identifier: GPL-3.0-or-later
# Asks a name server on the internet directly, bypassing the system's settings.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network send to 8.8.8.8:53 observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket

question = b"\x12\x34\1\0\0\1\0\0\0\0\0\0\3key\7example\3com\0\0\1\0\1"
try:
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.settimeout(1)
        client.sendto(question, ("8.8.8.8", 53))
        client.recv(512)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
