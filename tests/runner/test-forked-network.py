# SPDX-License-Identifier: GPL-3.0-or-later
"""The network of the interpreter, in which forked runs stay as long as none has touched it, and what one tries to leave in
there for the next, or to change without being noticed; and that each of these works as long as one is alone with it."""

import ctypes
import errno
import os
import struct
import sys
import tempfile
from pathlib import Path

import wire
from forked import BINDS, NOT_HERE, Forked
from sandboxed import ended, main
from tap import Skip, equal, must
from tiered import MARK

WHERE = "import os; print(os.stat('/proc/self/ns/net').st_ino, flush=True)\n"

# The guest channel is the only socket that a run has from the beginning.
CHANNEL = """
import os, socket, stat
found = [number for number in map(int, os.listdir("/proc/self/fd"))
         if os.path.exists(f"/proc/self/fd/{number}") and stat.S_ISSOCK(os.fstat(number).st_mode)]
assert len(found) == 1, found
channel = socket.socket(fileno=os.dup(found[0]))
"""

# Each of these does it, or says so by failing.
TOUCHES = {
    "a socket of the internet": "import socket; socket.socket()",
    "a local socket": "import socket; socket.socket(socket.AF_UNIX)",
    "a pair": "import socket; socket.socketpair()",
    "a look-up": "import socket\ntry:\n socket.getaddrinfo('a.example', 80)\nexcept socket.gaierror: pass",
    "by its number": "import ctypes, os\nassert ctypes.CDLL(None).syscall({'x86_64': 41, 'aarch64': 198}[os.uname().machine], 2, 1, 0) > 0",
    "a number with more bits": "import ctypes\nassert ctypes.CDLL(None).socket(2, 1, 0) > 0",
    "a child": "import os, socket\nif os.fork() == 0: socket.socket(); os._exit(0)\nassert os.wait()[1] == 0",
    "a thread": "import threading, socket\nt = threading.Thread(target=socket.socket); t.start(); t.join()",
    "another program": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import socket; socket.socket()'], check=True)",
    "one that dies of it": "import socket, os, signal\nsocket.socket(); os.kill(os.getpid(), signal.SIGKILL)",
    "a name for the channel": CHANNEL + "channel.bind(b'\\0a-name')\nassert '@a-name' in open('/proc/net/unix').read()",
    "a name that the kernel chooses": CHANNEL + """
channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
try:
    channel.connect(b"\\0nobody")
except OSError:
    pass
""",
}

# Refused, so that nothing comes of it.
REFUSED = """
import socket
for kind in ((socket.AF_NETLINK, socket.SOCK_RAW, 0), (socket.AF_INET, socket.SOCK_RAW, 1), (38, socket.SOCK_SEQPACKET, 0),
             (socket.AF_PACKET, socket.SOCK_RAW, 0), (socket.AF_INET, socket.SOCK_STREAM, 262)):
    try:
        socket.socket(*kind)
        print("made", kind)
    except OSError:
        pass
"""

# What a run can leave: a port in TIME_WAIT, servers of which children are left, names, groups, counters.
LEAVES = """
import os, socket, struct, time
server = socket.create_server(("127.0.0.1", 4711))
client = socket.create_connection(server.getsockname())
other = server.accept()[0]
client.sendall(bytes(1000))
other.close()
client.close()
datagrams = socket.socket(type=socket.SOCK_DGRAM)
datagrams.bind(("127.0.0.1", 4712))
datagrams.sendto(bytes(1000), ("127.0.0.1", 4713))
datagrams.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("224.9.9.9") + socket.inet_aton("127.0.0.1"))
name = socket.socket(socket.AF_UNIX)
name.bind(b"\\0left")
name.listen()
if os.fork() == 0:
    os.setsid()
    time.sleep(1000)
server.close()
"""

# What is there: by reading alone first, as a look with a socket touches the network.
FINDS = """
import os, re, socket
found = []
for file in ("tcp", "tcp6", "udp", "udp6", "unix", "arp", "igmp", "snmp", "snmp6", "netstat", "dev", "sockstat", "dev_mcast", "route",
             "if_inet6", "ipv6_route", "fib_trie", "netlink", "packet", "raw", "icmp", "ptype", "fib_triestat"):
    try:
        text = open("/proc/net/" + file).read()
    except OSError as error:
        text = type(error).__name__
    if file in ("tcp", "tcp6", "udp", "udp6", "netlink"):       # ports and states; the rest are owners and addresses of memory
        text = str([line.split()[1:4] for line in text.splitlines()[1:]])
    elif file == "unix":
        text = str(sorted(line.split()[7:] for line in text.splitlines()[1:] if len(line.split()) > 7))
    elif file == "sockstat":
        text = re.sub(r"used \\d+|mem(ory)? \\d+|alloc \\d+", "", text)
    found.append((file, text))
"""
LOOKS = FINDS + """
for line in found:
    print(line)
def tries(what, call):
    try:
        call()
        print(what, "works")
    except OSError as error:
        print(what, error.errno)
def local(kind):
    end = socket.socket(socket.AF_UNIX)
    getattr(end, kind)(b"\\0left")
tries("port", lambda: socket.socket().bind(("127.0.0.1", 4711)))
tries("connect", lambda: socket.create_connection(("127.0.0.1", 4711)))
tries("datagram port", lambda: socket.socket(type=socket.SOCK_DGRAM).bind(("127.0.0.1", 4712)))
tries("name", lambda: local("bind"))
tries("server of that name", lambda: local("connect"))
"""

# What changes a network and takes no new socket.
CHANGES = CHANNEL + """
import fcntl, struct
changed = []
for top in ("/proc/sys/net", "/proc/net", "/proc/self/net", "/proc/1/net", "/sys/class/net", "/sys/kernel/debug"):
    for folder, _, names in os.walk(top, followlinks=True):
        for name in names:
            path = os.path.join(folder, name)
            for flags in (os.O_WRONLY, os.O_RDWR):
                try:
                    os.close(os.open(path, flags))
                    changed.append(path)
                except OSError:
                    pass
lo = b"lo".ljust(16, b"\\0")
requests = {
    0x8914: lo + struct.pack("H", 0), 0x8916: lo + struct.pack("H2s4s", 2, b"", bytes([127, 0, 0, 9])), 0x891c: lo, 0x8922: lo + struct.pack("i", 999),
    0x8923: lo + b"other".ljust(16, b"\\0"), 0x8924: lo, 0x8931: lo, 0x8932: lo, 0x8943: lo + struct.pack("i", 7), 0x8946: lo + bytes(16), 0x890b: bytes(120),
    0x890c: bytes(120), 0x8955: bytes(68), 0x8953: bytes(68), 0x89a0: b"bridge", 0x89a2: lo, 0x8983: bytes(64), 0x89f0: lo, 0x89f1: lo,
    0x8990: lo, 0x894d: lo, 0x89b0: lo, 0x8b06: lo, 0x8947: lo,
}
for number, argument in requests.items():
    try:
        fcntl.ioctl(channel, number, bytes(argument).ljust(256, b"\\0"))
        changed.append(hex(number))
    except OSError:
        pass
try:
    channel.listen()
    changed.append("listen")
except OSError:
    pass
print(changed)
"""


def warm(**limits):
    return Forked(MARK, **limits)


def told(result):
    ended(result, "exited", exit_code=0)
    return result.stdout.decode()


def number_of(forked, source=""):
    """Of the network in which this run is."""
    result = forked.one(WHERE + source)
    must(result.finished and result.stderr == b"", f"{source}: {result}")
    return result.stdout.decode().split()[0]


def network_of(forked):
    """The number of the interpreter's, which the second run shows."""
    own, shared = number_of(forked), number_of(forked)
    must(own != shared, "the first has its own")
    equal(number_of(forked), shared, "the third is in that of the second")
    return shared


def test_runs_that_touch_nothing_are_in_one_network():
    with warm() as forked:
        shared = network_of(forked)
        for _ in range(20):
            equal(number_of(forked), shared, "that of all of these")


def test_who_touches_it_is_the_last_in_there():
    for name, source in TOUCHES.items():
        with warm() as forked:
            shared = network_of(forked)
            equal(number_of(forked, source), shared, f"{name}: it is in there itself")
            later = [number_of(forked) for _ in range(3)]
            equal(len({shared, *later}), 4, f"{name}: each later run has its own")


def test_who_touches_it_and_is_ended():
    sources = {"by its time": "import socket\nsocket.socket()\nwhile True: pass",
               "by its output": "import socket\nsocket.socket()\nwhile True: print('x' * 1000)",
               "by the user": "import socket, time\nsocket.socket()\nprint('now', flush=True)\ntime.sleep(1000)"}
    for name, source in sources.items():
        with warm(wall_ms=700, output=wire.MIB) as forked:
            shared = network_of(forked)
            forked.begin(WHERE + source)
            if name == "by the user":
                forked.wait_until(lambda result: b"now" in result.stdout)
                forked.stop()
            result = forked.end()
            must(result.stdout.decode().startswith(shared + "\n"), f"{name}: it is in there itself")
            must(result.status != "exited", f"{name}: {result}")
            must(number_of(forked) != shared, f"{name}: the next is not")


def test_what_is_refused_touches_nothing():
    with warm() as forked:
        shared = network_of(forked)
        equal(told(forked.one(REFUSED)), "", "refused")
        equal(number_of(forked), shared, "the next is still in there")


def test_without_sockets():
    """Where none may be made, none touches it but a pair, which is left."""
    source = "import socket\ntry:\n socket.socket()\n print('made')\nexcept OSError as error: print(error.errno)\n"
    with warm(flags=wire.NO_SOCKETS) as forked:
        shared = network_of(forked)
        result = forked.one(source)
        equal((told(result), [(attempt.operation, attempt.verdict) for attempt in result.attempts.values()]),
              (f"{errno.EAFNOSUPPORT}\n", [("socket", "denied")]), "refused and told")
        equal(number_of(forked, CHANNEL + "try:\n channel.bind(b'\\0a-name')\nexcept OSError: pass"), shared, "a name")
        equal(number_of(forked), shared, "the next is still in there")
        equal(number_of(forked, TOUCHES["a pair"]), shared, "a pair")
        must(number_of(forked) != shared, "the next is not")


def test_what_one_leaves_the_next_does_not_find():
    with warm() as forked:
        first = told(forked.one(LOOKS))
        must("port works" in first and "server of that name works" not in first, first)
    with warm() as forked:
        network_of(forked)
        equal(told(forked.one(LOOKS)), first, "what the first finds that touches it")
    with warm() as forked:
        network_of(forked)
        both = told(forked.one(LEAVES + LOOKS))
        must("'@left'" in both and "port 98" in both and "server of that name works" in both, f"in one run: {both}")
    with warm() as forked:
        shared = network_of(forked)
        equal(number_of(forked, LEAVES), shared, "what leaves it is in there")
        for _ in range(2):
            equal(told(forked.one(LOOKS)), first, "what later runs find")


def test_what_is_read_of_it_is_always_the_same():
    """The shared network answers as one's own does, and there are no sockets in it but those of this run."""
    source = FINDS + "for line in found:\n    print(line)\n"
    count = """
print(len(open("/proc/net/unix").readlines()) - 1, open("/proc/net/sockstat").readline().strip())
"""
    with warm() as forked:
        first = told(forked.one(source))
        for _ in range(3):
            equal(told(forked.one(source)), first, "what is there to be read")
            equal(told(forked.one(count)), "4 sockets: used 6\n", "DNS, the list, and two ends each of two pairs")


def test_it_cannot_be_changed_without_a_socket():
    with warm() as forked:
        shared = network_of(forked)
        before = told(forked.one(FINDS + "print(found)"))
        equal(number_of(forked, CHANGES), shared, "the attack is in there")
        equal(told(forked.one(CHANGES)), "[]\n", "what could be written to, or was done")
        equal(told(forked.one(FINDS + "print(found)")), before, "what is there to be read")
        equal(number_of(forked), shared, "nobody has touched it")


def test_without_reports_each_has_its_own():
    """Then nobody would be told that it is touched."""
    for limits in ({"watch": wire.WATCH_OFF}, {"without": ("system-calls",)}):
        with warm(**limits) as forked:
            numbers = [number_of(forked) for _ in range(4)]
            equal(len(set(numbers)), 4, f"{limits}")


def test_without_a_listener_each_has_its_own():
    """As another process has one already, and only one may."""
    if os.uname().machine != "x86_64":
        raise Skip("the numbers are those of x86-64")
    pid = os.fork()
    if pid == 0:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            # One instruction: everything is allowed.
            code = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0x7FFF0000))
            program = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", 1, ctypes.addressof(code)))
            libc.prctl(38, 1, 0, 0, 0)
            listener = libc.syscall(317, 1, 8, program)
            with warm() as forked:
                is_unheard = forked.one("pass").guards["system-calls"][0::2] == ("degraded", "no-listener")
                numbers = {number_of(forked) for _ in range(4)}
            os._exit(0 if listener >= 0 and is_unheard and len(numbers) == 4 else 1)
        finally:
            os._exit(2)
    equal(os.waitpid(pid, 0)[1], 0, "status of the child")


def test_sockets_of_a_module_that_is_imported_ahead():
    """An imported module keeps one: no run stays in the network of its interpreter."""
    with tempfile.TemporaryDirectory(prefix="fh-ahead-") as folder:
        path = Path(folder, "ahead.py")
        path.write_text("import socket\nkept = socket.socket()\nkept.bind(('127.0.0.1', 4711))\nkept.listen()\n", encoding="ascii")
        os.chmod(folder, 0o755)
        with warm(preload=("ahead",), binds=[*BINDS, (str(path), "/opt/ahead/ahead.py", 1)],
                  env={**wire.ENVIRONMENT, "PYTHONPATH": "/opt/ahead"}) as forked:
            equal(len({number_of(forked) for _ in range(4)}), 4, "each has its own")
            equal(told(forked.one("import socket; socket.socket().bind(('127.0.0.1', 4711)); print('free')")), "free\n",
                  "the port of the module")


def test_guards_in_the_network_that_is_lent():
    with warm() as forked:
        first = forked.one("pass").guards
        for _ in range(2):
            equal(forked.one("pass").guards, first, "guards")
        look_up = "import socket\ntry:\n socket.getaddrinfo('key.example', 80)\nexcept socket.gaierror as error: print(error.errno)"
        answers = []
        for _ in range(3):
            result = forked.one(look_up)
            answers.append((told(result), [(attempt.operation, attempt.object) for attempt in result.attempts.values()]))
        equal(answers, [("-2\n", [("look up", "key.example")])] * 3, "in the shared one, and in their own")


if __name__ == "__main__":
    sys.exit(main(__name__, NOT_HERE))
