# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the proxy have in common: servers at public and at private addresses, and
programs that ask the proxy for them."""

import os
import socket
import subprocess
import threading

import sandboxed
import small_internet
import wire
from sandboxed import MUST_SANDBOX, python
from small_internet import NEAR, NEIGHBOUR, NEIGHBOUR_6, OWN, OWN_6, PRIVATE, PUBLIC, PUBLIC_6
from tap import PATIENCE, Skip, equal

URL = "http://127.0.0.1:3128"
PROXY_ENVIRONMENT = {**wire.ENVIRONMENT, "http_proxy": URL, "https_proxy": URL}

ALLOWED = ["allowed.example", "loop.example", "loop6.example", "mapped.example", "private.example",
           "metadata.example", "provider.example", "mixed.example", "six.example", "absent.example"]
# Public addresses that are this computer's or its neighbours'.
CLOSE = ["own.example", "own6.example", "own-mapped.example", "own-translated.example", "near.example",
         "neighbour.example", "neighbour6.example"]

# What programs in these tests have in common.
PRELUDE = r"""
import os, socket, sys, threading, time
def ask(text, end=True):
    with socket.create_connection(('127.0.0.1', 3128)) as s:
        s.settimeout(90)
        s.sendall(text if isinstance(text, bytes) else text.encode())
        if end:
            s.shutdown(socket.SHUT_WR)
        answer = b''
        while piece := s.recv(65536):
            answer += piece
        return answer
def code(text, end=True):
    return ask(text, end)[9:12].decode() or 'nothing'
def hello(name):
    import ssl
    outgoing = ssl.MemoryBIO()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    try:
        context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=name).do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
def records(data, kind=23):
    return b''.join(bytes([kind, 3, 3]) + len(data[n:n + 16000]).to_bytes(2, 'big') + data[n:n + 16000]
                    for n in range(0, len(data), 16000))
def tunnel(first, name='allowed.example', port=443):
    head, _, rest = ask(f'CONNECT {name}:{port} HTTP/1.1\r\n\r\n'.encode() + first).partition(b'\r\n\r\n')
    return head[9:12].decode(), rest
def get(url, *fields, method='GET', body=''):
    lines = [f'{method} {url} HTTP/1.1', *fields]
    return '\r\n'.join(lines) + '\r\n\r\n' + body
"""


class Server:
    """Listens at one address and remembers all that it was told."""

    def __init__(self, address, port, serve):
        self.socket = small_internet.listen(address, port)
        self.heard = []
        self.news = threading.Condition()
        self.serve = serve
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self._handle, args=(client,), daemon=True).start()

    def _handle(self, client):
        with client:
            try:
                told = self.serve(client)
            except OSError as error:
                told = error
        with self.news:
            self.heard.append(told)
            self.news.notify_all()

    def heard_after(self, before, count):
        """What it has heard from then on, once that is `count`: a connection may end after the run."""
        with self.news:
            self.news.wait_for(lambda: len(self.heard) >= before + count, timeout=PATIENCE)
            return self.heard[before:]


BIG = bytes(range(256)) * 4096 * 48


def answer_http(client):
    """Tells the request back; of /big only as many bytes. Reads what comes after it, too."""
    told = b""
    while b"\r\n\r\n" not in told:
        piece = client.recv(65536)
        if not piece:
            return told
        told += piece
    head, _, body = told.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields.get(b"content-length", 0)):
        body += client.recv(65536)
    text = BIG if b"/big" in head else head + b"\r\n\r\n" + body
    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text)
    client.settimeout(0.3)
    try:
        body += client.recv(65536)
    except TimeoutError:
        pass
    return head + b"\r\n\r\n" + body


def echo_until_end(client):
    """Says nothing before everything has been heard."""
    told = b""
    while piece := client.recv(65536):
        told += piece
    client.sendall(told)
    return told


def remember(client):
    return client.recv(100)


def make_certificate(folder):
    paths = [os.path.join(folder, name) for name in ("certificate.pem", "key.pem")]
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=six.example", "-out", paths[0], "-keyout", paths[1]],
                       check=True, capture_output=True)
    except FileNotFoundError as error:
        raise Skip("there is no openssl to make a certificate with") from error
    return paths


class NameServer:
    """Knows one name, which stands for another address each time it is asked for."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.asked = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            message, sender = self.socket.recvfrom(512)
            end = message.index(b"\0", 12) + 5
            kind = message[end - 4:end - 2]
            if message[12:end - 5] != b"\6rebind\7example":
                answer = message[:2] + b"\x81\x83\0\1\0\0\0\0\0\0" + message[12:end]
            elif kind != b"\0\1":
                answer = message[:2] + b"\x81\x80\0\1\0\0\0\0\0\0" + message[12:end]
            else:
                address = "127.0.0.1" if self.asked % 2 else PUBLIC
                self.asked += 1
                answer = (message[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + message[12:end] +
                          b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(address))
            self.socket.sendto(answer, sender)


class World:
    """The servers; those at private addresses must never hear anything."""

    def __init__(self):
        self.http = Server(PUBLIC, 80, answer_http)
        self.six = Server(PUBLIC_6, 80, answer_http)
        self.echo = Server(PUBLIC, 443, echo_until_end)
        self.names = NameServer()
        self.decoys = [Server(address, port, remember) for port in (80, 443) for address in
                       ("127.0.0.1", PRIVATE, "::1", OWN, OWN_6, NEAR, NEIGHBOUR, NEIGHBOUR_6)]
        self.decoys.append(Server(PUBLIC, 8080, remember))


def browse(code, hosts=("allowed.example",), **limits):
    return python(PRELUDE + code, allow_hosts=hosts, env=PROXY_ENVIRONMENT, **limits)


def requests(result):
    return {a.object: a.verdict for a in result.attempts.values() if a.operation == "use proxy for"}


def main(module):
    """As sandboxed.main, in a network of our own with all servers at their places."""
    global WORLD  # pylint: disable=global-statement
    if os.geteuid() == 0 and small_internet.STAGE not in os.environ:
        return sandboxed.main(module)
    reason = small_internet.enter()
    if reason is not None:
        print(f"not ok 1 - {reason}\n1..1" if MUST_SANDBOX else f"1..0 # SKIP {reason}")
        return 1 if MUST_SANDBOX else 0
    WORLD = World()
    return sandboxed.main(module)


WORLD = None


def decoys_have_heard_nothing():
    equal([server.heard for server in WORLD.decoys], [[]] * len(WORLD.decoys), "decoys")
