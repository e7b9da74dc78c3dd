# SPDX-License-Identifier: GPL-3.0-or-later
# Sends over connections that were not accepted yet, and closes its own ends: no process has a descriptor for
# the data.
#
# baseline: skip it would take the connections of everybody
# options: --memory 256M
# expect-status: memory-exceeded:sockets memory-exceeded:certain
# expect-attempt: memory fill sockets|use memory * limited
# alone: yes
# tiers: A A2
import socket
import time

MOST = 200 << 20

held, servers = 0, []
try:
    while held < MOST:
        servers.append(socket.create_server(("127.0.0.1", 0), backlog=4000))
        for _ in range(1000):
            with socket.create_connection(servers[-1].getsockname(), timeout=5) as client:
                client.setblocking(False)
                try:
                    while held < MOST:
                        held += client.send(b"x" * 65536)
                except BlockingIOError:
                    pass
except OSError as error:
    print(error)
time.sleep(1)
print(held >> 20, "MiB")
print("SUCCEEDED" if held > 64 << 20 else "STOPPED")
