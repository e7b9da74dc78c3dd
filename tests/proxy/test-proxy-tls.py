# SPDX-License-Identifier: GPL-3.0-or-later
"""The beginning of TLS in a tunnel: all that could name another host is refused, also after the first hello; and
what real programs say gets through."""

import ssl
import sys
import tempfile

import proxied
import small_internet
from proxied import PRELUDE, browse
from sandboxed import ended, prints
from tap import equal, must

# Of the guest: hellos that OpenSSL would not write.
HELLOS = PRELUDE + r"""
def with_extension(hello, number, data=b''):
    extension = number.to_bytes(2, 'big') + len(data).to_bytes(2, 'big') + data
    at = 5 + 4 + 2 + 32
    at += 1 + hello[at]
    at += 2 + int.from_bytes(hello[at:at + 2], 'big')
    at += 1 + hello[at]
    size = int.from_bytes(hello[at:at + 2], 'big') + len(extension)
    body = hello[9:at] + size.to_bytes(2, 'big') + hello[at + 2:] + extension
    return hello[:3] + (len(body) + 4).to_bytes(2, 'big') + b'\1' + len(body).to_bytes(3, 'big') + body
def again(*pieces, name='retry.example', wait=True):
    # The second words of a program that was asked for another hello.
    with socket.create_connection(('127.0.0.1', 3128)) as s:
        s.settimeout(90)
        s.sendall(f'CONNECT {name}:443 HTTP/1.1\r\n\r\n'.encode())
        while b'\r\n\r\n' not in s.recv(4096):
            pass
        s.sendall(hello(name) + (b'' if wait else b''.join(pieces)))
        answer = s.recv(4096)
        try:
            for piece in pieces if wait else ():
                s.sendall(piece)
                time.sleep(0.05)
            s.shutdown(socket.SHUT_WR)
            while s.recv(4096):
                pass
        except OSError:
            pass
        return answer[:1].hex()
"""

RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")


def answer_with_retry(client):
    """Asks for a second hello and remembers all that comes behind the first one."""
    told = b""
    while len(told) < 5 or len(told) < 5 + int.from_bytes(told[3:5], "big"):
        piece = client.recv(65536)
        if not piece:
            return None
        told += piece
    body = b"\3\3" + RETRY + b"\0\x13\1\0\0\6\0\x2b\0\2\3\4"
    message = b"\2" + len(body).to_bytes(3, "big") + body
    client.sendall(b"\x16\3\3" + len(message).to_bytes(2, "big") + message)
    rest = told[5 + int.from_bytes(told[3:5], "big"):]
    while piece := client.recv(65536):
        rest += piece
    return rest


def retries(code, count):
    """What a program's second words were, as the host heard them."""
    server = retries.server = getattr(retries, "server", None) or proxied.Server(small_internet.RETRY, 443,
                                                                                 answer_with_retry)
    before = len(server.heard)
    result = browse(HELLOS + code, ["retry.example"])
    ended(result, "exited", exit_code=0)
    heard = server.heard_after(before, count)
    equal(len(heard), count, f"connections: {result}")
    return result, heard


def proxy_attempts(result):
    return {(a.object, a.verdict) for a in result.attempts.values() if a.operation == "use proxy for"}


def test_encrypted_hello():
    before = len(proxied.WORLD.echo.heard)
    result = browse(HELLOS + r"""
for number in (0xfe0d, 0xffce):
    print(*tunnel(with_extension(hello('allowed.example'), number, b'\0' * 40)))
print(*tunnel(with_extension(hello('allowed.example'), 0x17)))
""")
    alert = bytes([21, 3, 3, 0, 2, 2, 49])
    prints(result, f"200 {alert}\n200 {alert}\n200 b''\n")
    equal(proxied.WORLD.echo.heard_after(before, 3), [b""] * 3, "what arrived")
    must({("allowed.example:443", "denied"), ("a host name that is encrypted (ECH)", "denied")}
         <= proxy_attempts(result), f"{proxy_attempts(result)}")


def test_second_hello_for_the_same_host():
    result, heard = retries(r"""
second = hello('RETRY.example')
print(again(second))
print(again(b'\x14\3\3\0\1\1', second[:7], second[7:], records(b'finished')))
""", 2)
    equal(result.stdout, b"16\n16\n", "answers")
    equal((heard[0][:1], heard[1][:7]), (b"\x16", b"\x14\3\3\0\1\1\x16"), "what arrived first")
    must(heard[1].endswith(b"\x17\3\3\0\10finished") and b"retry.example" in heard[0].lower(), f"{heard}")
    equal(proxy_attempts(result), {("retry.example:443", "observed")}, "attempts")


def test_second_hello_for_another_host():
    result, heard = retries(r"""
other = hello('other.example')
again(other)
again(b'\x14\3\3\0\1\1', other)
again(records(b'early data'), *[other[n:n + 40] for n in range(0, len(other), 40)])
again(records(other[5:], 22)[:-1], other[-1:])
again(b''.join(records(other[n:n + 30], 22) for n in range(5, len(other), 30)))
again(with_extension(hello('retry.example'), 0xfe0d))
again(hello(None))
again(records(hello('retry.example')[5:] + other[5:], 22))
print(len(other))
""", 8)
    # Of one in pieces the last one does not arrive.
    must(all(len(text) < int(result.stdout) for text in heard), f"{heard}")
    equal([b"other.example" in text for text in heard], [False] * 2 + [True] * 2 + [False] * 4, "what arrived")
    must({("other.example:443", "denied"), ("retry.example:443", "denied"),
          ("a host name that is encrypted (ECH)", "denied")} <= proxy_attempts(result), f"{proxy_attempts(result)}")


def test_words_before_the_answer():
    """A client that knows beforehand that it will be asked again."""
    _, heard = retries(r"""
again(hello('other.example'), wait=False)
again(b'\x14\3\3\0\1\1' + hello('other.example'), wait=False)
again(hello('retry.example'), wait=False)
""", 3)
    must(not any(b"example" in text for text in heard if text), f"{heard}")


def test_real_programs():
    """A host that does not know the curve of the first hello asks for a second one; and TLS 1.2."""
    messages = []
    with tempfile.TemporaryDirectory() as folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*proxied.make_certificate(folder))
    context.set_ecdh_curve("secp521r1")
    # Told by the module to its own tests only.
    context._msg_callback = lambda *words: messages.append(words[4])  # pylint: disable=protected-access

    def answer(client):
        with context.wrap_socket(client, server_side=True) as secure:
            return proxied.answer_http(secure)

    proxied.Server(small_internet.CURVE, 443, answer)
    code = r"""
import urllib.request
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.maximum_version = ssl.TLSVersion.{0}
print(len(urllib.request.urlopen('https://curve.example/big', context=context).read()))
"""
    for version, hellos in (("TLSv1_3", 2), ("TLSv1_2", 1)):
        messages.clear()
        result = browse("import ssl" + code.format(version), ["curve.example"])
        prints(result, f"{len(proxied.BIG)}\n")
        equal(sum(message.name == "CLIENT_HELLO" for message in messages if hasattr(message, "name")), hellos,
              f"hellos of {version}")
        equal(proxied.requests(result), {"curve.example:443": "observed"}, "requests")


def test_decoys_have_heard_nothing():
    proxied.decoys_have_heard_nothing()


if __name__ == "__main__":
    sys.exit(proxied.main(__name__))
