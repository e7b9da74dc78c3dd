# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a socket of any family in a run without sockets: by name, with extra bits that the kernel ignores, by
# io_uring, and by turning a socket pair into a server or a sender.
#
# baseline: works
# options: --without sockets
# expect-status: ok
# expect-attempt: network socket AF_INET denied
# expect-attempt: network socket AF_INET6 denied
# expect-attempt: network socket AF_UNIX denied
# tiers: A A2 B B4 B5
import ctypes
import socket

libc = ctypes.CDLL(None, use_errno=True)
made = []


def attempt(name, make):
    try:
        make()
        made.append(name)
    except OSError as error:
        print(name, error.strerror)


def numbered(*words):
    ctypes.set_errno(0)
    if libc.syscall(*[ctypes.c_long(word) for word in words]) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def serve_on_a_pair():
    left, _ = socket.socketpair()
    left.bind("\0any-socket")
    left.listen()
    client, _ = socket.socketpair()
    client.connect("\0any-socket")


def send_from_a_pair():
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    left.bind("\0any-sender")
    right.sendto(b"x", "\0any-sender")


for family in range(46):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        attempt(f"family {family} of kind {kind}", lambda family=family, kind=kind: socket.socket(family, kind))
        if family != socket.AF_UNIX:
            attempt(f"pair of family {family} and kind {kind}",
                    lambda family=family, kind=kind: socket.socketpair(family, kind))
SOCKET = 41 if ctypes.sizeof(ctypes.c_long) == 8 and hasattr(libc, "iopl") else 198
for family in (1, 2, 10):
    attempt(f"family {family} with a bit more", lambda family=family: numbered(SOCKET, 1 << 32 | family, 1, 0))
attempt("a pair that listens", serve_on_a_pair)
attempt("a pair that sends", send_from_a_pair)
buffer = ctypes.create_string_buffer(256)
attempt("io_uring", lambda: numbered(425, 1, ctypes.addressof(buffer)))
# Pairs stay.
one, other = socket.socketpair()
one.send(b"x")
print(made, other.recv(1))
print("SUCCEEDED" if made else "STOPPED")
