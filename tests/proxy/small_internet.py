# SPDX-License-Identifier: GPL-3.0-or-later
"""A small internet of our own, for an ordinary user: the test runs in it again.

There are two networks, each with a computer in it: the near one is this computer's, with public addresses of its own
and a neighbour on the same link; the far one has the servers, behind a router, which is that neighbour. Namespaces of
a user's own give the right to make them and to put another /etc/hosts in place; a second user namespace takes all
rights away again. The servers' sockets are made in the far network and handed down to the test."""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys
import tempfile

PUBLIC = "93.184.216.34"
PUBLIC_6 = "2606:2800:220:1::34"
# Of servers with a TLS of their own.
RETRY, CURVE = "93.184.216.35", "93.184.216.36"
PRIVATE = "10.0.0.1"
# Of this computer itself, and on the same link as it.
OWN = "8.8.4.4"
OWN_6 = "2001:4860:4860::44"
NEAR, NEIGHBOUR = "185.199.108.1", "185.199.108.2"
NEAR_6, NEIGHBOUR_6 = "2a00:1450:4001::1", "2a00:1450:4001::2"

HOSTS = f"""\
127.0.0.1 localhost loop.example
::1 loop6.example
::ffff:127.0.0.1 mapped.example
{PUBLIC} allowed.example other.example mixed.example far-or-own.example
{PUBLIC_6} six.example
{RETRY} retry.example
{CURVE} curve.example
{PRIVATE} private.example mixed.example
169.254.169.254 metadata.example
100.64.0.1 provider.example
{OWN} own.example far-or-own.example
{OWN_6} own6.example
::ffff:{OWN} own-mapped.example
64:ff9b::{OWN} own-translated.example
{NEAR} near.example
{NEIGHBOUR} neighbour.example
{NEIGHBOUR_6} neighbour6.example
"""

RESOLVER = "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n"

STAGE = "FH_TEST_NETWORK_STAGE"
SOCKETS = "FH_TEST_NETWORK_SOCKETS"

# Where there are servers outside of this computer.
FAR = ((PUBLIC, 80), (PUBLIC, 443), (PUBLIC, 8080), (PUBLIC_6, 80), (PUBLIC_6, 443), (RETRY, 443), (CURVE, 443),
       (NEIGHBOUR, 80), (NEIGHBOUR, 443), (NEIGHBOUR_6, 80), (NEIGHBOUR_6, 443))

CLONE_NEWNET = 0x40000000
MS_BIND = 4096
IFF_UP = 1
RTM_NEWLINK, RTM_NEWADDR, RTM_NEWROUTE = 16, 20, 24
NLM_F_REQUEST, NLM_F_ACK, NLM_F_CREATE = 1, 4, 0x400
NLMSG_ERROR = 2
IFLA_IFNAME, IFLA_LINKINFO, IFLA_INFO_KIND, IFLA_INFO_DATA, IFLA_NET_NS_FD, VETH_INFO_PEER = 3, 18, 1, 2, 28, 1
IFA_ADDRESS, IFA_LOCAL, IFA_F_NODAD = 1, 2, 2
RTA_GATEWAY, RT_TABLE_MAIN, RTPROT_STATIC, RTN_UNICAST = 5, 254, 4, 1

libc = ctypes.CDLL(None, use_errno=True)


def _attribute(kind, value):
    return struct.pack("=HH", len(value) + 4, kind) + value + bytes(-len(value) % 4)


def _family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


class _Links:
    """Links, addresses and routes of the network that we are in when this is made."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        self.control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def _ask(self, kind, body):
        flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE
        self.socket.send(struct.pack("=IHHII", len(body) + 16, kind, flags, 1, 0) + body)
        answer = self.socket.recv(65536)
        length, error = struct.unpack_from("=4xHxxxxxxxxxxi", answer)
        if length != NLMSG_ERROR or error != 0:
            raise OSError(-error, f"{os.strerror(-error)}: netlink message {kind}")

    def index(self, name):
        # SIOCGIFINDEX, in the network of this socket
        return struct.unpack("16si20x", fcntl.ioctl(self.control, 0x8933, struct.pack("16s24x", name.encode())))[1]

    def make_pair(self, here, there, network):
        """Two ends of one link; the second one in another network."""
        peer = struct.pack("=BxHiII", 0, 0, 0, 0, 0) + _attribute(IFLA_IFNAME, there.encode() + b"\0")
        peer += _attribute(IFLA_NET_NS_FD, struct.pack("=I", network))
        info = _attribute(IFLA_INFO_KIND, b"veth") + _attribute(IFLA_INFO_DATA, _attribute(VETH_INFO_PEER, peer))
        self._ask(RTM_NEWLINK, struct.pack("=BxHiII", 0, 0, 0, 0, 0) + _attribute(IFLA_IFNAME, here.encode() + b"\0")
                  + _attribute(IFLA_LINKINFO, info))

    def raise_link(self, name):
        self._ask(RTM_NEWLINK, struct.pack("=BxHiII", 0, 0, self.index(name), IFF_UP, IFF_UP))

    def add(self, name, address, prefix):
        packed = socket.inet_pton(_family(address), address)
        self._ask(RTM_NEWADDR, struct.pack("=BBBBi", _family(address), prefix, IFA_F_NODAD, 0, self.index(name))
                  + _attribute(IFA_LOCAL, packed) + _attribute(IFA_ADDRESS, packed))

    def route_all(self, gateway):
        self._ask(RTM_NEWROUTE, struct.pack("=BBBBBBBBI", _family(gateway), 0, 0, 0, RT_TABLE_MAIN, RTPROT_STATIC, 0,
                                            RTN_UNICAST, 0)
                  + _attribute(RTA_GATEWAY, socket.inet_pton(_family(gateway), gateway)))


def _enter_network(descriptor=None):
    result = libc.unshare(CLONE_NEWNET) if descriptor is None else libc.setns(descriptor, CLONE_NEWNET)
    if result < 0:
        raise OSError(ctypes.get_errno(), "network namespace")


def _allow_low_ports():
    # The servers of the test are to listen where servers do.
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", "w", encoding="ascii") as file:
        file.write("0")


def _listen(address, port):
    server = socket.socket(_family(address), socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((address, port))
    server.listen(256)
    return server


def _make_networks():
    """Returns the sockets of the far one."""
    near_network = os.open("/proc/self/ns/net", os.O_RDONLY)
    near = _Links()
    _allow_low_ports()
    _enter_network()
    far_network = os.open("/proc/self/ns/net", os.O_RDONLY)
    far = _Links()
    near.make_pair("link", "link", far_network)
    for links in (near, far):
        links.raise_link("lo")
        links.raise_link("link")
    for address in (PUBLIC, PUBLIC_6, RETRY, CURVE):
        far.add("lo", address, 128 if ":" in address else 32)
    far.add("link", NEIGHBOUR, 24)
    far.add("link", NEIGHBOUR_6, 64)
    sockets = {key: _listen(*key) for key in FAR}
    _enter_network(near_network)
    for address in (PRIVATE, OWN, OWN_6):
        near.add("lo", address, 128 if ":" in address else 32)
    near.add("link", NEAR, 24)
    near.add("link", NEAR_6, 64)
    near.route_all(NEIGHBOUR)
    near.route_all(NEIGHBOUR_6)
    return sockets


def listen(address, port):
    """A listening socket at one of the addresses, wherever that is."""
    for word in os.environ.get(SOCKETS, "").split():
        name, descriptor = word.split("=")
        if name == f"{address}|{port}":
            return socket.socket(fileno=int(descriptor))
    return _listen(address, port)


def _replace(path, text):
    with tempfile.NamedTemporaryFile("w", prefix="fumehood-test-", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    if libc.mount(file.name.encode(), path.encode(), None, MS_BIND, None) < 0:
        raise OSError(ctypes.get_errno(), "mount")
    os.unlink(file.name)


def _again(stage, *options):
    os.environ[STAGE] = stage
    command = ["unshare", *options, sys.executable, *sys.argv]
    os.execvp(command[0], command)


def enter():
    """Returns why there is no such network here, or None inside of it. Starts the test again."""
    stage = os.environ.get(STAGE)
    if stage is None:
        probe = subprocess.run(["unshare", "--user", "--map-root-user", "--net", "--mount", "true"],
                               stderr=subprocess.PIPE, check=False)
        if probe.returncode != 0:
            return "no network of our own here: " + probe.stderr.decode(errors="replace").strip()
        sys.stdout.flush()
        _again("made", "--user", "--map-root-user", "--net", "--mount")
    if stage == "made":
        sockets = _make_networks()
        for one in sockets.values():
            os.set_inheritable(one.fileno(), True)
        os.environ[SOCKETS] = " ".join(f"{address}|{port}={one.fileno()}" for (address, port), one in sockets.items())
        _replace("/etc/hosts", HOSTS)
        _replace("/etc/resolv.conf", RESOLVER)
        _again("inside", "--user", "--map-user=1000", "--map-group=1000")
    return None
