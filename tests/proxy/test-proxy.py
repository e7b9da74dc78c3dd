# SPDX-License-Identifier: GPL-3.0-or-later
"""The proxy: hosts that were allowed are reached, and nothing else is, whatever a request says."""

import hashlib
import sys

import proxied
from proxied import ALLOWED, BIG, CLOSE, browse, requests
from sandboxed import ended, prints, python
from tap import equal, must


def test_without_hosts_there_is_no_proxy():
    code = """
        import errno, socket
        try:
            socket.create_connection(('127.0.0.1', 3128))
            print('connected')
        except OSError as error:
            print(errno.errorcode[error.errno])
        """
    prints(python(code), "ECONNREFUSED\n")
    prints(python(code, allow_hosts=()), "ECONNREFUSED\n")


def test_plain_requests():
    result = browse(r"""
import urllib.request
print(urllib.request.urlopen('http://allowed.example/path?query').read().decode())
print(urllib.request.urlopen('http://ALLOWED.example', data=b'some data').read().decode())
""")
    ended(result, "exited", exit_code=0)
    text = result.stdout.decode()
    must(text.startswith("GET /path?query HTTP/1.1\r\nHost: allowed.example\r\n"), text)
    must("POST / HTTP/1.1\r\nHost: allowed.example\r\n" in text, text)
    must("some data" in text and "Connection: close" in text and "Proxy-" not in text, text)
    equal(requests(result), {"allowed.example:80": "observed"}, "requests")
    attempt = next(a for a in result.attempts.values() if a.operation == "use proxy for")
    equal((attempt.guard, attempt.layer, attempt.count), ("network", "proxy", 2), "the attempt")


def test_tunnel_loses_nothing_at_half_close():
    result = browse(r"""
data = hello('allowed.example') + records(os.urandom(1 << 20) * 12)
answer = ask(b'CONNECT allowed.example:443 HTTP/1.1\r\nHost: allowed.example:443\r\n\r\n' + data)
head, _, echo = answer.partition(b'\r\n\r\n')
print(head.decode(), len(echo) > 12 << 20, echo == data)
""", wall_ms=100000)
    prints(result, "HTTP/1.1 200 Connection established True True\n")
    equal(requests(result), {"allowed.example:443": "observed"}, "requests")


def test_a_tunnel_is_for_one_name():
    before = len(proxied.WORLD.echo.heard)
    result = browse(r"""
first = hello('ALLOWED.example')
print(tunnel(first) == ('200', first))
for first in (hello('other.example'), hello(None), b'GET / HTTP/1.1\r\nHost: other.example\r\n\r\n',
              b'SSH-2.0-x\r\n', hello('allowed.example')[:-1], b''):
    print(*tunnel(first))
print(*tunnel(b'GET / HTTP/1.1\r\nHost: other.example\r\n\r\n', port=80))
""")
    alert = bytes([21, 3, 3, 0, 2, 2, 112])
    prints(result, f"True\n200 {alert}\n200 {alert}\n" + "200 b''\n" * 5)
    heard = proxied.WORLD.echo.heard_after(before, 7)
    equal(sorted(len(text) > 100 for text in heard), [False] * 6 + [True], "what arrived")
    found = {(a.object, a.verdict) for a in result.attempts.values()
             if a.operation == "use proxy for"}
    must({("allowed.example:443", "observed"), ("allowed.example:443", "denied"),
          ("other.example:443", "denied"), ("allowed.example:80", "denied")} <= found, f"{found}")


def test_big_download():
    result = browse(r"""
import hashlib, urllib.request
digest, size = hashlib.sha256(), 0
with urllib.request.urlopen('http://allowed.example/big') as file:
    while piece := file.read(1 << 20):
        digest.update(piece)
        size += len(piece)
print(size, digest.hexdigest())
""")
    prints(result, f"{len(BIG)} {hashlib.sha256(BIG).hexdigest()}\n")


def test_ipv6():
    result = browse("print(code(get('http://six.example/')))", ["six.example"])
    prints(result, "200\n")


def test_hosts_that_are_not_allowed():
    result = browse(r"""
for url in ('http://other.example/', 'http://sub.allowed.example/', 'http://allowed.example.evil/',
            'http://allowed.example./', 'http://93.184.216.34/', 'http://1572395042/',
            'http://0x5db8d822/', 'http://127.0.0.1/', 'http://[::1]/', 'http://localhost/',
            'http://[::ffff:93.184.216.34]/', 'http://allowed/'):
    print(code(get(url)), code(f'CONNECT {url[7:-1]}:443 HTTP/1.1\r\n\r\n'))
""")
    prints(result, "403 403\n" * 12)
    found = requests(result)
    equal(set(found.values()), {"denied"}, "verdicts")
    must({"other.example:80", "other.example:443", "[::1]:80", "0x5db8d822:443",
          "allowed.example.:80"} <= set(found), f"{found}")


def test_the_answer_is_one_sentence():
    result = browse(r"print(ask(get('http://other.example/')).decode(), end='')")
    ended(result, "exited", exit_code=0)
    must(result.stdout.decode().endswith(
        "\r\n\r\nThis host is not allowed for this run.\n"), f"{result}")


def test_private_addresses_of_allowed_names():
    names = [name for name in ALLOWED if name.split(".")[0] in (
        "loop", "loop6", "mapped", "private", "metadata", "provider")]
    result = browse(f"""
for name in {names!r}:
    print(code(get(f'http://{{name}}/')), code(f'CONNECT {{name}}:443 HTTP/1.1\\r\\n\\r\\n'))
""", names)
    prints(result, "403 403\n" * len(names))
    equal(requests(result), {f"{name}:{port}": "denied" for name in names for port in (80, 443)},
          "requests")


def test_public_addresses_of_this_computer_and_its_neighbours():
    result = browse(f"""
for name in {CLOSE!r}:
    print(code(get(f'http://{{name}}/')), code(f'CONNECT {{name}}:443 HTTP/1.1\\r\\n\\r\\n'))
print(ask(get('http://own.example/')).splitlines()[-1].decode())
""", CLOSE)
    prints(result, "403 403\n" * len(CLOSE) + "This name has an address of this computer or its local network, "
           "which is not allowed.\n")
    equal(requests(result), {f"{name}:{port}": "denied" for name in CLOSE for port in (80, 443)}, "requests")


def test_only_the_far_address_of_a_name_with_both():
    before = len(proxied.WORLD.http.heard)
    result = browse("print(*[code(get('http://far-or-own.example/')) for _ in range(4)])", ["far-or-own.example"])
    prints(result, "200 200 200 200\n")
    equal(len(proxied.WORLD.http.heard_after(before, 4)), 4, "requests that arrived")


def test_only_the_public_address_of_a_name_with_both():
    before = len(proxied.WORLD.http.heard)
    result = browse("print(*[code(get('http://mixed.example/')) for _ in range(8)])",
                    ["mixed.example"])
    prints(result, "200 200 200 200 200 200 200 200\n")
    equal(len(proxied.WORLD.http.heard_after(before, 8)), 8, "requests that arrived")


def test_a_name_that_changes_its_mind():
    before = proxied.WORLD.names.asked
    result = browse("print(*[code(get('http://rebind.example/')) for _ in range(6)])",
                    ["rebind.example"])
    prints(result, "200 403 200 403 200 403\n")
    equal(proxied.WORLD.names.asked - before, 6, "look-ups")


def test_hosts_that_are_not_there():
    result = browse("print(code(get('http://absent.example/')))", ["absent.example"])
    prints(result, "502\n")
    equal(requests(result), {"absent.example:80": "observed"}, "requests")


def test_host_field():
    result = browse(r"""
for field in ('Host: allowed.example', 'host:ALLOWED.example:80', 'Host: other.example',
              'Host: allowed.example:443', 'Host: allowed.example\r\nHost: allowed.example',
              'Host: allowed.example\r\nHost: other.example', 'Host : other.example', 'Host:',
              ' Host: other.example', 'Host: allowed.example\n\nGET http://other.example/ HTTP/1.1'):
    print(code(get('http://allowed.example/', field)), end=' ')
print(code(get('http://other.example/', 'Host: allowed.example')))
print(code('CONNECT allowed.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'))
""")
    prints(result, "200 200 403 403 400 400 400 400 400 400 403\n403\n")
    found = {(a.object, a.verdict) for a in result.attempts.values()
             if a.operation == "use proxy for"}
    must({("allowed.example:80", "observed"), ("allowed.example:80", "denied"),
          ("other.example:80", "denied"), ("allowed.example:443", "denied"),
          ("other.example:443", "denied")} <= found, f"{found}")


def test_tricks():
    result = browse(r"""
for line in ('GET http://allowed.example@other.example/ HTTP/1.1',
             'GET http://other.example@allowed.example/ HTTP/1.1',
             'GET http://allowed.example#@other.example/ HTTP/1.1',
             'GET http://allowed.example\\@other.example/ HTTP/1.1',
             'GET http://allowed.example%00.other.example/ HTTP/1.1',
             'GET http://allowed.example:80:90/ HTTP/1.1',
             'GET http://allowed.example:/ HTTP/1.1',
             'GET http://allowed.example:65616/ HTTP/1.1',
             'GET http:///allowed.example HTTP/1.1',
             'GET https://allowed.example/ HTTP/1.1',
             'GET file:///etc/passwd HTTP/1.1',
             'GET / HTTP/1.1',
             'GET http://allowed.example/ HTTP/2.0',
             'GET http://allowed.example/',
             'GET  http://allowed.example/ HTTP/1.1',
             'GET http://allowed.example/ x HTTP/1.1',
             'CONNECT allowed.example HTTP/1.1',
             'CONNECT http://allowed.example:443 HTTP/1.1',
             'CONNECT allowed.example:443/ HTTP/1.1',
             'G\x00T http://allowed.example/ HTTP/1.1'):
    print(code(line + '\r\n\r\n'), end=' ')
print()
for port in (1, 22, 25, 81, 8080, 65535):
    print(code(get(f'http://allowed.example:{port}/')), code(f'CONNECT allowed.example:{port} HTTP/1.1\r\n\r\n'))
print(code(get('http://allowed.example/', 'Transfer-Encoding: chunked', method='POST')))
print(code(get('http://allowed.example/', 'Transfer-Encoding: chunked', 'Content-Length: 3')))
print(code(get('http://allowed.example/', 'Content-Length: 3', 'Content-Length: 30')))
print(code(get('http://allowed.example/', 'Content-Length: -1')))
print(code(get('http://allowed.example/', 'Content-Length: 99999999999999999999')))
print(code(get('http://allowed.example/', 'X: ' + 'x' * 9000)))
""")
    prints(result, "400 " * 20 + "\n" + "403 403\n" * 6 + "411\n400\n400\n400\n400\n431\n")


def test_what_follows_a_request_goes_nowhere():
    before = len(proxied.WORLD.http.heard)
    result = browse(r"""
second = get('http://other.example/secret', 'Host: other.example')
print(code(get('http://allowed.example/', 'Content-Length: 4', method='POST', body='body') + second))
print(code(get('http://allowed.example/') + second, end=False))
time.sleep(0.5)
""")
    prints(result, "200\n200\n")
    heard = proxied.WORLD.http.heard_after(before, 2)
    equal(len(heard), 2, "requests that arrived")
    must(all(b"secret" not in text for text in heard) and heard[0].endswith(b"\r\n\r\nbody"),
         f"{heard}")


def test_slow_requests_are_given_up():
    result = browse(r"""
def crawl():
    begun = time.monotonic()
    with socket.create_connection(('127.0.0.1', 3128)) as s:
        s.settimeout(1)
        answer = b''
        for byte in b'GET http://allowed.example/ HTTP/1.1\r\nX: ' + b'x' * 60:
            s.sendall(bytes([byte]))
            try:
                answer = s.recv(1000)
                break
            except TimeoutError:
                pass
        print(answer[9:12].decode(), 9 < time.monotonic() - begun, flush=True)
threads = [threading.Thread(target=crawl) for _ in range(32)]
for thread in threads:
    thread.start()
time.sleep(0.5)
print(code(get('http://allowed.example/')), flush=True)
for thread in threads:
    thread.join()
""", wall_ms=100000, processes=80)
    ended(result, "exited", exit_code=0)
    lines = result.stdout.decode().splitlines()
    equal((lines.count("408 True"), lines.count("200"), len(lines)), (32, 1, 33), f"{lines}")


def test_two_hundred_connections():
    result = browse(r"""
threading.stack_size(1 << 18)
codes = []
threads = [threading.Thread(target=lambda: codes.append(code(get('http://allowed.example/'))))
           for _ in range(200)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(codes.count('200'))
""", wall_ms=100000, processes=256)
    prints(result, "200\n")
    equal(requests(result), {"allowed.example:80": "observed"}, "requests")


def test_decoys_have_heard_nothing():
    proxied.decoys_have_heard_nothing()


if __name__ == "__main__":
    sys.exit(proxied.main(__name__))
