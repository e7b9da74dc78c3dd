# SPDX-License-Identifier: GPL-3.0-or-later
"""The network guard: nothing gets out, and what was looked up is told."""

import ctypes
import errno
import os
import socket
import sys

import wire
from sandboxed import ended, main, prints, python, shell, start
from tap import Skip, at_best, equal, must
from tiered import GUARDED, in_tiers


def lookups(result):
    return {a.object: a for a in result.attempts.values() if a.operation == "look up"}


def landlock_abi():
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1)


def test_look_up_fails_at_once_and_is_told():
    def look_up():
        result = python("""
            import socket, time
            begun = time.monotonic()
            try:
                socket.getaddrinfo('key.evil.com', 443)
            except socket.gaierror as error:
                print(error.errno == socket.EAI_NONAME, error.strerror)
            print(time.monotonic() - begun < 0.05)
            """)
        must(result.stdout.startswith(b"True Name or service not known\n"), str(result))
        return result

    result = at_best(look_up, lambda result: result.stdout.endswith(b"\nTrue\n"))
    attempt = lookups(result)["key.evil.com"]
    equal((attempt.guard, attempt.layer, attempt.verdict, attempt.count),
          ("network", "dns", "denied", 1), "the attempt")
    equal(len(lookups(result)), 1, "names looked up")


def test_every_look_up_is_counted():
    result = python("""
        import socket
        for name in ['one.example', 'two.example'] + ['one.example'] * 4:
            try:
                socket.getaddrinfo(name, 80)
            except socket.gaierror:
                pass
        try:
            socket.gethostbyname('one.example')
        except socket.gaierror:
            pass
        """)
    ended(result, "exited", exit_code=0)
    equal({name: a.count for name, a in lookups(result).items()},
          {"one.example": 6, "two.example": 1}, "look-ups")


def test_own_names_are_not_looked_up():
    result = python("""
        import socket
        print(socket.gethostbyname('localhost'), socket.gethostbyname(socket.gethostname()))
        """)
    prints(result, "127.0.0.1 127.0.0.1\n")
    equal(lookups(result), {}, "names looked up")


def test_hostile_questions():
    result = python(r"""
        import socket, struct
        def ask(*labels, count=1, tail=b'\0\0\1\0\1'):
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.settimeout(5)
            name = b''.join(bytes([len(label)]) + label for label in labels)
            s.sendto(struct.pack('>6H', 7, 256, count, 0, 0, 0) + name + tail, ('127.0.0.1', 53))
            return s.recv(600)[3] & 15
        print(ask(b'a.b', b'\x1b[2J\n<b>', b'c\\'))
        print(ask(b'x' * 63, b'y' * 63, b'z' * 63, b'\xff' * 61))
        print(ask(b'key', count=2), ask(b'key', tail=b'\xc0\x0c\0\1\0\1'), ask(b'key', tail=b''))
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for datagram in (b'', b'x', b'\xff' * 11, b'\xff' * 12, b'\0' * 60000):
            s.sendto(datagram, ('127.0.0.1', 53))
        print(ask(b'after'))
        """)
    prints(result, "3\n3\n1 1 1\n3\n")
    names = lookups(result)
    must(r"a\.b.\027[2J\010<b>.c\\" in names and "after" in names, f"names: {list(names)}")
    equal(len(names), 3, "names looked up")
    must(all(name.isascii() and name.isprintable() for name in names), "printable names")


def test_a_name_asked_for_at_the_very_end():
    for _ in range(5):
        result = python(r"""
            import os, socket
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.sendto(b'\0\1\1\0\0\1\0\0\0\0\0\0\4last\0\0\1\0\1', ('127.0.0.1', 53))
            os._exit(0)
            """)
        must("last" in lookups(result), f"{result}")


FLOOD = r"""
import os, socket
for _ in range(3):
    if os.fork() == 0:
        break
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
n = 0
while True:
    n += 1
    name = b'%08x' % (n & 0xffffffff)
    try:
        s.sendto(b'\0\1\1\0\0\1\0\0\0\0\0\0\x08' + name + b'\0\0\1\0\1', ('127.0.0.1', 53))
    except OSError:
        pass
"""


def test_a_flood_delays_nothing():
    def flooded():
        result = python(FLOOD, wall_ms=1000)
        ended(result, "timed-out", "wall")
        names = lookups(result)
        must(len(names) == 129 and names["more names"].count > 100, f"{len(names)}")
        return result.wall_us

    at_best(flooded, lambda wall_us: wall_us < 1300000)


def test_a_flood_hides_nothing():
    result = python("""
        import socket
        for n in range(600):
            try:
                socket.getaddrinfo(f'name-{n}.example', 80)
            except socket.gaierror:
                pass
        try:
            socket.create_connection(('1.1.1.1', 443))
        except OSError:
            pass
        """)
    equal(lookups(result)["more names"].count, 472, "names that are not told")
    must(any(a.object == "1.1.1.1:443" for a in result.attempts.values()), "the connection is told")


def test_a_flood_delays_no_stop():
    runner = start([sys.executable, "-c", FLOOD], wall_ms=0)
    runner.wait_until(lambda result: len(lookups(result)) > 100)
    runner.stop()
    runner.stop()
    ended(runner.finish(), "stopped")


def test_nothing_is_reported_when_nothing_is_watched():
    result = shell("getent hosts key.evil.com; true", watch=wire.WATCH_OFF)
    ended(result, "exited", exit_code=0)
    equal(result.attempts, {}, "attempts")


def test_nothing_gets_out():
    prints(python("""
        import errno, socket
        for family, address in ((socket.AF_INET, '1.1.1.1'), (socket.AF_INET6, '2606:4700::1111')):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                try:
                    socket.socket(family, kind).connect((address, 53))
                    print('out')
                except OSError as error:
                    print(error.errno in (errno.ENETUNREACH, errno.EADDRNOTAVAIL))
        """), "True\n" * 4)


OFF = {"without": ["network"]}


def test_switched_off_the_network_is_that_of_the_host():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"""
            import socket
            try:
                socket.create_connection(('127.0.0.1', {port}))
                print('connected')
            except OSError as error:
                print(error.strerror)
            """
        prints(python(code), "Connection refused\n")
        prints(python(code, **OFF), "connected\n")


def test_switched_off_names_are_looked_up_as_on_the_host():
    for name in ("resolv.conf", "nsswitch.conf", "hosts"):
        path = f"/etc/{name}"
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            result = python(f"print(open({path!r}).read(), end='')", **OFF)
            must(result.stdout.decode().startswith(text), f"{name}: {result}")
    result = python("import socket; print(socket.gethostbyname(socket.gethostname()))", **OFF)
    prints(result, "127.0.0.1\n")
    equal(lookups(result), {}, "names told")


def test_switched_off_other_families_stay_refused():
    prints(python("""
        import errno, socket
        for family in (socket.AF_ALG, socket.AF_NETLINK, socket.AF_PACKET, 40):
            try:
                socket.socket(family, socket.SOCK_SEQPACKET if family == 38 else socket.SOCK_RAW)
                print('made')
            except OSError as error:
                print(errno.errorcode[error.errno])
        """, **OFF), "EAFNOSUPPORT\n" * 4)


def test_switched_off_abstract_sockets_stay_out_of_reach():
    if landlock_abi() < 6:
        raise Skip("the kernel's Landlock knows no scopes")
    name = f"fumehood-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + name)
        server.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("\0" + name)
        prints(python(f"""
            import errno, socket
            try:
                socket.socket(socket.AF_UNIX).connect(chr(0) + {name!r})
                print('connected')
            except OSError as error:
                print(errno.errorcode[error.errno])
            """, **OFF), "EPERM\n")


def test_switched_off_older_landlock_leaves_no_local_sockets():
    """Where it knows no scope, only sockets of the internet can be made."""
    prints(python("""
        import errno, socket
        def attempt(make):
            try:
                make()
                print('made')
            except OSError as error:
                print(errno.errorcode[error.errno])
        attempt(lambda: socket.socket(socket.AF_UNIX))
        attempt(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
        attempt(lambda: socket.socketpair())
        attempt(lambda: socket.socket())
        """, runner_env=dict(os.environ, FH_RUNNER_LANDLOCK_ABI="5"), **OFF),
           "EAFNOSUPPORT\nEPROTONOSUPPORT\nmade\nmade\n")


TRY_SOCKETS = """
import asyncio, errno, os, socket, struct, sys
made = []
refused = set()
for family in range(64):
    for kind in (1, 2, 3, 5):
        try:
            made.append(socket.socket(family, kind))
        except OSError as error:
            refused.add(errno.errorcode[error.errno])
print(made, refused)
left, right = socket.socketpair()
others = [lambda family=family, kind=kind: socket.socketpair(family, kind)
          for family in range(64) if family != socket.AF_UNIX for kind in (1, 2, 3, 5)]
for make in (*others, lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM), lambda: left.bind('\\0name')):
    try:
        made.append(make())
    except OSError:
        pass
print(made)
left.send(b'pair')
reader, writer = os.pipe()
os.write(writer, b'pipe')
print(right.recv(9), os.read(reader, 9))
try:
    socket.getaddrinfo('key.example.com', 443)
except socket.gaierror:
    print('no name')
async def child():
    return await (await asyncio.create_subprocess_exec('true')).wait()
print(asyncio.run(child()))
if len(sys.argv) > 1:
    channel = socket.socket(fileno=3)
    channel.sendall(struct.pack('<I', 5) + bytes([32]) + b'word')
"""
SOCKETS_REFUSED = "[] {'EAFNOSUPPORT'}\n[]\nb'pair' b'pipe'\nno name\n0\n"
NAMESPACES = {"A": "network namespace, no sockets", "A2": "network namespace, no sockets",
              "B": "no sockets, Landlock rules for TCP"}


def test_no_sockets():
    def check(name, tier):
        result = python(TRY_SOCKETS, "channel", flags=wire.NO_SOCKETS | wire.GUEST_CHANNEL, **tier)
        prints(result, SOCKETS_REFUSED)
        equal(len(result.guest), 1, "messages on the guest channel")
        level, layers, reason = result.guards["network"]
        equal(layers, NAMESPACES[name], "layers")
        equal((level, reason), ("degraded", "no-namespaces") if name == "B" else ("active", ""), "guard")
        attempts = {a.object.split()[0]: a for a in result.attempts.values() if a.operation == "socket"}
        for family in ("AF_UNIX", "AF_INET", "AF_INET6", "AF_VSOCK"):
            attempt = attempts[family]
            equal((attempt.guard, attempt.verdict, attempt.layer, attempt.error),
                  ("network", "denied", "seccomp", errno.EAFNOSUPPORT), family)
        must("AF_NETLINK" not in attempts, "what the C library tries is not reported")
    in_tiers(check, GUARDED)


def test_no_sockets_without_reports_and_without_the_system_call_filter():
    def check(name, tier):
        for options in ({"watch": wire.WATCH_OFF}, {"without": ["system-calls"]}):
            result = python(TRY_SOCKETS, flags=wire.NO_SOCKETS, **options, **tier)
            prints(result, SOCKETS_REFUSED)
            equal([a for a in result.attempts.values() if a.operation == "socket"], [], "reports")
    in_tiers(check, GUARDED)


def test_no_sockets_by_io_uring():
    if os.uname().machine != "x86_64":
        raise Skip("the number is that of x86-64")
    code = """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.syscall(425, 1, ctypes.create_string_buffer(256)), ctypes.get_errno())
        """
    prints(python(code, flags=wire.NO_SOCKETS, without=["system-calls"]), f"-1 {errno.ENOSYS}\n")


def test_no_sockets_and_something_that_needs_them():
    for options in ({"allow_hosts": ["allowed.example"]}, {"without": ["network"]}, {"tier": wire.UNPROTECTED}):
        result = python("print('it ran')", flags=wire.NO_SOCKETS, **options)
        must(not result.started and result.status != "exited", f"{options}: {result}")


ASK_PROXY = """
    import socket
    def ask(line):
        with socket.create_connection(('127.0.0.1', 3128)) as s:
            s.sendall(line.encode() + b'\\r\\n\\r\\n')
            return s.makefile('rb').read().decode()[9:12]
    try:
        print(ask('GET http://other.example/ HTTP/1.1'), ask('CONNECT 10.0.0.1:443 HTTP/1.1'))
    except OSError:
        print('no proxy')
    """


def ask_proxy(tier):
    result = python(ASK_PROXY, tier=tier, allow_hosts=["allowed.example"])
    if result.status == "setup-failed":
        raise Skip(f"no sandbox of this tier here: {result.step}")
    return result, {a.object for a in result.attempts.values() if a.operation == "use proxy for"}


def test_the_proxy_in_namespaces_of_our_own_and_of_bubblewrap():
    for tier in (wire.TIER_A, wire.TIER_A2):
        result, asked = ask_proxy(tier)
        prints(result, "403 403\n")
        equal(asked, {"other.example:80", "10.0.0.1:443"}, "requests")
        must("proxy for 1 host" in result.guards["network"][1], f"{result.guards['network']}")


def test_no_proxy_without_namespaces():
    result, asked = ask_proxy(wire.TIER_B)
    prints(result, "no proxy\n")
    equal((asked, result.guards["network"][0]), (set(), "degraded"), "guard")


def test_guard_report_switched_off():
    level, layers, reason = python("pass", **OFF).guards["network"]
    equal((level, reason), ("off", "switched-off"), "guard")
    equal("Landlock scope" in layers, landlock_abi() >= 6, "the scope is named")


def test_guard_report():
    equal(python("pass").guards["network"],
          ("active", "network namespace, loopback only, DNS sink, socket families", ""), "guard")


if __name__ == "__main__":
    sys.exit(main(__name__))
