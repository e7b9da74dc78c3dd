# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernel encrypt a connection, in code that had many vulnerabilities.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import socket

TCP_ULP = 31
try:
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    client.setsockopt(socket.IPPROTO_TCP, TCP_ULP, b"tls")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
