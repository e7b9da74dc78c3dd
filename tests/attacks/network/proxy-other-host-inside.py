# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the proxy for the allowed host, and for another host in the same connection.
#
# baseline: skip there is no proxy outside
# options: --allow-host example.com
# arguments: tcp
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import os
import socket
import sys
import urllib.parse

proxy = urllib.parse.urlparse(os.environ["http_proxy"])
second = f"GET http://127.0.0.1:{sys.argv[1]}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
for first in ("GET http://example.invalid/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
              "POST http://example.invalid/ HTTP/1.1\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
              f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{sys.argv[1]}\r\n\r\n", "\r\n\r\n", "\0", "GET " + "x" * 70000):
    with socket.create_connection((proxy.hostname, proxy.port), timeout=5) as client:
        try:
            client.sendall((first + second).encode())
            while answer := client.recv(4096):
                if b"decoy" in answer:
                    print("SUCCEEDED")
        except OSError as error:
            print(error)
print("STOPPED")
