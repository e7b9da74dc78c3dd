# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine of the tests as if it were on another computer: a port of the loopback address that passes on what is
said to the engine's local socket, and lets in only the user who tests."""

import contextlib
import os
import socket
import sys
import threading

STEP = 1 << 16


def own_ports():
    """Local ports of this user's TCP sockets: the kernel tells whose a connection is."""
    found = set()
    with open("/proc/net/tcp", encoding="ascii") as table:
        for line in list(table)[1:]:
            fields = line.split()
            if int(fields[7]) == os.getuid():
                found.add(int(fields[1].rpartition(":")[2], 16))
    return found


def pump(source, target):
    """One direction, until its end: the other one may go on."""
    with contextlib.suppress(OSError):
        while data := source.recv(STEP):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def serve(client, path):
    with client, socket.socket(socket.AF_UNIX) as engine:
        engine.connect(path)
        back = threading.Thread(target=pump, args=(engine, client), daemon=True)
        back.start()
        pump(client, engine)
        back.join()


def accept(server, path):
    while True:
        try:
            client, (_, port) = server.accept()
        except OSError:
            return
        if port in own_ports():
            threading.Thread(target=serve, args=(client, path), daemon=True).start()
        else:
            client.close()


@contextlib.contextmanager
def remote():
    """DOCKER_HOST of the same engine by TCP, for as long as it is needed."""
    scheme, _, path = os.environ["DOCKER_HOST"].partition("://")
    if scheme != "unix":
        yield os.environ["DOCKER_HOST"]
        return
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, args=(server, path), daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    sys.exit("relay.py is a module of the tests")
