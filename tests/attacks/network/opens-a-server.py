# SPDX-License-Identifier: GPL-3.0-or-later
# Opens a server on all addresses, for incoming connections.
#
# baseline: skip it opens a server
# expect-status: ok
# expect-attempt: network bind 0.0.0.0:8099 observed
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
import socket

try:
    with socket.create_server(("0.0.0.0", 8099)) as server:
        lines = open("/proc/net/dev", encoding="ascii").read().splitlines()
        interfaces = [line.split(":")[0].strip() for line in lines if ":" in line]
        print(interfaces)
        print("STOPPED" if interfaces == ["lo"] else "SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
