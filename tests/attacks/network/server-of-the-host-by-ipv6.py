# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to this computer by its IPv4 address in IPv6 notation, bypassing lists that only know the short
# form.
#
# baseline: works
# reaches: tcp
# arguments: tcp
# expect-status: ok
# expect-attempt: network connect [[]::ffff:127.0.0.1[]]:* observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket
import sys

try:
    with socket.socket(socket.AF_INET6) as client:
        client.settimeout(3)
        client.connect(("::ffff:127.0.0.1", int(sys.argv[1])))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
