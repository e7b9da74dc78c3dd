# SPDX-License-Identifier: GPL-3.0-or-later
"""The proxy: hosts that were allowed are reached, and nothing else is, whatever a request says."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import small_internet
import wire
from sandboxed import MUST_SANDBOX, PROGRAM, ended, main, prints, python, start
from small_internet import PRIVATE, PUBLIC, PUBLIC_6
from tap import equal, must

URL = "http://127.0.0.1:3128"
PROXY_ENVIRONMENT = {**wire.ENVIRONMENT, "http_proxy": URL, "https_proxy": URL}

ALLOWED = ["allowed.example", "loop.example", "loop6.example", "mapped.example", "private.example",
           "metadata.example", "provider.example", "mixed.example", "six.example", "absent.example"]

# What programs in these tests have in common.
PRELUDE = r"""
import os, socket, sys, threading, time
def ask(text, end=True):
    with socket.create_connection(('127.0.0.1', 3128)) as s:
        s.settimeout(30)
        s.sendall(text if isinstance(text, bytes) else text.encode())
        if end:
            s.shutdown(socket.SHUT_WR)
        answer = b''
        while piece := s.recv(65536):
            answer += piece
        return answer
def code(text, end=True):
    return ask(text, end)[9:12].decode() or 'nothing'
def get(url, *fields, method='GET', body=''):
    lines = [f'{method} {url} HTTP/1.1', *fields]
    return '\r\n'.join(lines) + '\r\n\r\n' + body
"""


class Server:
    """Listens at one address and remembers all that it was told."""

    def __init__(self, address, port, serve):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((address, port))
        self.socket.listen(256)
        self.heard = []
        self.serve = serve
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self._handle, args=(client,), daemon=True).start()

    def _handle(self, client):
        with client:
            try:
                self.heard.append(self.serve(client))
            except OSError as error:
                self.heard.append(error)


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


class World:
    """The servers; those at private addresses must never hear anything."""

    def __init__(self):
        self.http = Server(PUBLIC, 80, answer_http)
        self.six = Server(PUBLIC_6, 80, answer_http)
        self.echo = Server(PUBLIC, 443, echo_until_end)
        self.decoys = [Server(address, port, remember)
                       for address in ("127.0.0.1", PRIVATE, "::1") for port in (80, 443)]
        self.decoys.append(Server(PUBLIC, 8080, remember))


# With what programs use; curl is not everywhere.
FETCH = """
import shutil, subprocess, urllib.error, urllib.request
for name in 'allowed', 'other':
    try:
        print(urllib.request.urlopen(f'http://{name}.example/').status)
    except urllib.error.HTTPError as error:
        print(error.code)
if shutil.which('curl'):
    print(subprocess.check_output(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}',
                                   'http://allowed.example/'], text=True))
else:
    print(200)
"""

WORLD = None


def browse(code, hosts=("allowed.example",), **limits):
    return python(PRELUDE + code, allow_hosts=hosts, env=PROXY_ENVIRONMENT, **limits)


def requests(result):
    return {a.object: a.verdict for a in result.attempts.values() if a.operation == "use proxy for"}


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def proxy_of(runner):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for pid in children(runner.process.pid):
            if name_of(pid) == "fumehood-proxy":
                return pid
        time.sleep(0.01)
    raise TimeoutError("there is no proxy")


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] in "ZX"
    except FileNotFoundError:
        return True


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
import hashlib
data = os.urandom(1 << 20) * 12
answer = ask(b'CONNECT allowed.example:443 HTTP/1.1\r\nHost: allowed.example:443\r\n\r\n' + data)
head, _, echo = answer.partition(b'\r\n\r\n')
print(head.decode(), len(echo), echo == data)
""")
    prints(result, f"HTTP/1.1 200 Connection established {12 << 20} True\n")
    equal(requests(result), {"allowed.example:443": "observed"}, "requests")


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
        "\r\n\r\nThis host is not one of those that this run may reach.\n"), f"{result}")


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


def test_only_the_public_address_of_a_name_with_both():
    before = len(WORLD.http.heard)
    result = browse("print(*[code(get('http://mixed.example/')) for _ in range(8)])",
                    ["mixed.example"])
    prints(result, "200 200 200 200 200 200 200 200\n")
    equal(len(WORLD.http.heard) - before, 8, "requests that arrived")


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
    before = len(WORLD.http.heard)
    result = browse(r"""
second = get('http://other.example/secret', 'Host: other.example')
print(code(get('http://allowed.example/', 'Content-Length: 4', method='POST', body='body') + second))
print(code(get('http://allowed.example/') + second, end=False))
time.sleep(0.5)
""")
    prints(result, "200\n200\n")
    heard = WORLD.http.heard[before:]
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
        print(answer[9:12].decode(), 9 < time.monotonic() - begun < 13, flush=True)
threads = [threading.Thread(target=crawl) for _ in range(32)]
for thread in threads:
    thread.start()
time.sleep(0.5)
print(code(get('http://allowed.example/')), flush=True)
for thread in threads:
    thread.join()
""", wall_ms=30000, processes=80)
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
""", wall_ms=60000, processes=256)
    prints(result, "200\n")
    equal(requests(result), {"allowed.example:80": "observed"}, "requests")


WAITING = PRELUDE + r"""
s = socket.create_connection(('127.0.0.1', 3128))
s.sendall(b'CONNECT allowed.example:443 HTTP/1.1\r\n\r\n')
print(s.recv(1000)[9:12].decode(), flush=True)
"""


def waiting_run(code="time.sleep(60)"):
    runner = start([sys.executable, "-c", WAITING + code], allow_hosts=["allowed.example"],
                   wall_ms=30000)
    runner.wait_until(lambda result: result.stdout)
    proxy = proxy_of(runner)
    processes = [proxy, *children(proxy)]
    equal(len(processes), 2, "processes of the proxy")
    return runner, processes


def test_nothing_survives_the_run():
    runner, processes = waiting_run("time.sleep(1); os._exit(0)")
    ended(runner.finish(), "exited", exit_code=0)
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_nothing_survives_a_stop():
    runner, processes = waiting_run()
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_nothing_survives_the_runner():
    runner, processes = waiting_run()
    runner.kill()
    deadline = time.monotonic() + 5
    while not all(is_gone(pid) for pid in processes) and time.monotonic() < deadline:
        time.sleep(0.01)
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")
    runner.process.communicate()


def test_a_proxy_that_dies_takes_only_the_network_along():
    runner, processes = waiting_run("""
print(s.recv(1000), flush=True)
try:
    socket.create_connection(('127.0.0.1', 3128))
    print('connected')
except ConnectionRefusedError:
    print('refused')
""")
    os.kill(processes[0], signal.SIGKILL)
    result = runner.finish()
    prints(result, "200\nb''\nrefused\n")
    must(all(is_gone(pid) for pid in processes), "the proxy has survived")


def test_the_proxy_is_confined():
    runner, processes = waiting_run()
    for pid in processes:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        equal((status["NoNewPrivs"], status["Seccomp"], int(status["CapEff"], 16)), ("1", "2", 0),
              "confinement")
        equal(os.access(f"/proc/{pid}/mem", os.R_OK) and os.listdir(f"/proc/{pid}/fd"), False,
              "what others see of it")
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")


def test_guard_report():
    equal(browse("pass").guards["network"],
          ("active", "network namespace, loopback only, DNS sink, socket families, "
           "proxy for 1 host", "allowed-hosts"), "guard")
    must("proxy for 2 hosts" in browse("pass", ["a.example", "b.example"]).guards["network"][1],
         "hosts are counted")
    failing = browse("print(1)", runner_env=dict(os.environ, FH_RUNNER_FAIL_STEP="proxy-listener"))
    if failing.guards["network"][0] != "active":
        equal(failing.guards["network"][::2], ("degraded", "no-proxy"), "guard")
        prints(failing, "1\n")


def test_without_the_guard_there_is_no_proxy():
    result = python("import socket; print(socket.socket().connect_ex(('127.0.0.1', 3128)) != 0)",
                    allow_hosts=["allowed.example"], without=["network"])
    prints(result, "True\n")


def test_from_the_command_line():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fetch.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(FETCH)
        answer = subprocess.run(
            [os.environ["FH_CTL"], "run", "--json", "--allow-host", "Allowed.example", path],
            env={**os.environ, "HOME": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    result = json.loads(answer.stdout)
    equal(result["stdout"], "200\n403\n200\n", f"output: {answer.stderr}")
    found = {(a["operation"], a["object"], a["verdict"]) for a in result["attempts"]}
    must({("use proxy for", "allowed.example:80", "observed"),
          ("use proxy for", "other.example:80", "denied")} <= found, f"{found}")


def test_decoys_have_heard_nothing():
    equal([server.heard for server in WORLD.decoys], [[]] * len(WORLD.decoys), "decoys")


if __name__ == "__main__":
    if os.geteuid() != 0 or small_internet.STAGE in os.environ:
        REASON = small_internet.enter()
        if REASON is not None:
            print(f"not ok 1 - {REASON}\n1..1" if MUST_SANDBOX else f"1..0 # SKIP {REASON}")
            sys.exit(1 if MUST_SANDBOX else 0)
        WORLD = World()
    sys.exit(main(__name__))
