# SPDX-License-Identifier: GPL-3.0-or-later
# Opens hundreds of connections to the proxy and sends nothing.
#
# baseline: skip there is no proxy outside
# options: --allow-host example.com --timeout 2
# expect-status: timed-out ok failed
# expect-attempt: any
# within: 5
# tiers: A A2
import os
import socket
import time
import urllib.parse

proxy = urllib.parse.urlparse(os.environ["http_proxy"])
kept = []
for _ in range(400):
    try:
        client = socket.create_connection((proxy.hostname, proxy.port), timeout=0.5)
        client.send(b"C")
        kept.append(client)
    except OSError as error:
        print(len(kept), error)
        break
time.sleep(60)
