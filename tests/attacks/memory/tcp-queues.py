# SPDX-License-Identifier: GPL-3.0-or-later
# Fills connections to itself with data that it never reads, in several processes. The memory counts for all
# connections of the machine, which break if it is too much.
#
# baseline: skip it would take the connections of everybody
# options: --memory 256M
# expect-status: memory-exceeded:sockets memory-exceeded:certain
# expect-attempt: memory fill sockets|use memory * limited
# alone: yes
# tiers: A A2
import os
import signal
import socket
import time

CHILDREN = 13
MOST = 24 << 20


def fill():
    held, sockets = 0, []
    try:
        with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
            while held < MOST:
                client = socket.create_connection(server.getsockname())
                sockets += [client, server.accept()[0]]
                for one in sockets[-2:]:
                    one.setblocking(False)
                    try:
                        while held < MOST:
                            held += one.send(b"x" * 65536)
                    except BlockingIOError:
                        pass
    except OSError as error:
        print(error)
    os.write(writer, f"{held}\n".encode())
    time.sleep(60)


reader, writer = os.pipe()
children = []
for _ in range(CHILDREN):
    child = os.fork()
    if child == 0:
        fill()
    children.append(child)
total, text = 0, b""
while text.count(b"\n") < CHILDREN:
    text += os.read(reader, 4096)
total = sum(int(line) for line in text.split())
time.sleep(1)
print(total >> 20, "MiB")
print("SUCCEEDED" if total > 64 << 20 else "STOPPED")
for child in children:
    os.kill(child, signal.SIGKILL)
