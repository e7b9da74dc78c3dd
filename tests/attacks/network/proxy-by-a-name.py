# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the proxy for an allowed host whose name resolves to this computer.
#
# baseline: skip there is no proxy outside
# arguments: tcp
# options: --allow-host localhost --allow-host localhost.localdomain
# expect-status: ok
# expect-attempt: network use proxy for localhost* denied
# tiers: A A2
import os
import socket
import sys
import urllib.parse

proxy = urllib.parse.urlparse(os.environ["http_proxy"])
for host in ("localhost", "localhost.localdomain"):
    with socket.create_connection((proxy.hostname, proxy.port), timeout=5) as client:
        client.sendall(f"CONNECT {host}:{sys.argv[1]} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = client.recv(4096)
    print(answer)
    if answer.split()[1:2] == [b"200"] or b"decoy" in answer:
        print("SUCCEEDED")
print("STOPPED")
