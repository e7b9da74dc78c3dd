# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the proxy for hosts that are not allowed, and for services in the local network.
#
# baseline: skip there is no proxy outside
# options: --allow-host example.com
# expect-status: ok
# expect-attempt: network use proxy for evil.example.net* denied
# expect-attempt: network use proxy for 169.254.169.254* denied
# tiers: A A2
import os
import socket
import urllib.parse

proxy = urllib.parse.urlparse(os.environ["https_proxy"])
for host in ("evil.example.net", "notexample.com", "example.com.evil.example.net", "example.com%00.evil.net",
             "169.254.169.254", "10.0.0.1", "192.168.1.1", "[fe80::1]", "metadata.google.internal"):
    for request in (f"CONNECT {host}:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
                    f"GET http://{host}/latest/meta-data HTTP/1.1\r\nHost: {host}\r\n\r\n"):
        with socket.create_connection((proxy.hostname, proxy.port), timeout=5) as client:
            try:
                client.sendall(request.encode())
                answer = client.recv(4096)
            except OSError as error:
                answer = str(error).encode()
        print(host, answer[:60])
        if answer.split()[1:2] == [b"200"]:
            print("SUCCEEDED")
print("STOPPED")
