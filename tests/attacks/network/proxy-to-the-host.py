# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the proxy, with one allowed host, for a server on this computer, in many spellings.
#
# baseline: skip there is no proxy outside
# arguments: tcp
# options: --allow-host example.com
# expect-status: ok
# expect-attempt: network use proxy for *127.0.0.1* denied
# tiers: A A2
import os
import socket
import sys
import urllib.parse

proxy = urllib.parse.urlparse(os.environ["http_proxy"])
port = sys.argv[1]
ANSWER = b"decoy"
for host in ("127.0.0.1", "localhost", "LOCALHOST.", "127.1", "2130706433", "0x7f.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]",
             "example.com@127.0.0.1", "127.0.0.1#example.com", "127.0.0.1/example.com", "example.com.localhost"):
    for request in (f"CONNECT {host}:{port} HTTP/1.1\r\nHost: example.com\r\n\r\n",
                    f"GET http://{host}:{port}/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
                    f"GET http://{host}:{port}/ HTTP/1.0\r\n\r\n"):
        with socket.create_connection((proxy.hostname, proxy.port), timeout=3) as client:
            try:
                client.sendall(request.encode())
                answer = client.recv(4096)
                if answer.split()[1:2] == [b"200"] or ANSWER in answer:
                    print(host, answer)
                    print("SUCCEEDED")
            except OSError as error:
                print(host, error)
print("STOPPED")
