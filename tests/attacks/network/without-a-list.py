# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for a proxy although no host was allowed: without a list nothing may be reachable.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import socket

open_ports = []
for port in (80, 443, 1080, 3128, 8080, 8888, 9050):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        open_ports.append(port)
    except OSError:
        continue
named = [name for name in os.environ if name.lower().endswith("_proxy")]
print(open_ports, named)
print("SUCCEEDED" if open_ports or named else "STOPPED")
