# SPDX-License-Identifier: GPL-3.0-or-later
"""A network of our own with a public address in it, for an ordinary user: the test runs in it again.

Namespaces of a user's own give the right to make addresses and to put another /etc/hosts in place;
a second user namespace takes all rights away again."""

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
PRIVATE = "10.0.0.1"

HOSTS = f"""\
127.0.0.1 localhost loop.example
::1 loop6.example
::ffff:127.0.0.1 mapped.example
{PUBLIC} allowed.example other.example mixed.example
{PUBLIC_6} six.example
{PRIVATE} private.example mixed.example
169.254.169.254 metadata.example
100.64.0.1 provider.example
"""

RESOLVER = "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n"

STAGE = "FH_TEST_NETWORK_STAGE"

SIOCSIFADDR, SIOCSIFFLAGS = 0x8916, 0x8914
IFF_UP = 1
MS_BIND = 4096


def _make_addresses():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
        for number, address in enumerate((PUBLIC, PRIVATE)):
            sockaddr = struct.pack("=HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
            fcntl.ioctl(control, SIOCSIFADDR, struct.pack("16s16s", b"lo:%d" % number, sockaddr))
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFADDR,
                    struct.pack("=16sIi", socket.inet_pton(socket.AF_INET6, PUBLIC_6), 128,
                                socket.if_nametoindex("lo")))
    # The servers of the test are to listen where servers do.
    with open("/proc/sys/net/ipv4/ip_unprivileged_port_start", "w", encoding="ascii") as file:
        file.write("0")


def _replace(path, text):
    with tempfile.NamedTemporaryFile("w", prefix="fumehood-test-", delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    libc = ctypes.CDLL(None, use_errno=True)
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
        _make_addresses()
        _replace("/etc/hosts", HOSTS)
        _replace("/etc/resolv.conf", RESOLVER)
        _again("inside", "--user", "--map-user=1000", "--map-group=1000")
    return None
