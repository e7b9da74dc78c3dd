# SPDX-License-Identifier: GPL-3.0-or-later
# Puts single bytes of files into pipes and sockets, which keep the whole pages after the file is gone
# (splice, tee, sendfile).
#
# baseline: works
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import ctypes
import os
import socket

libc = ctypes.CDLL(None)
with open("pages", "wb") as file:
    file.write(b"x" * 8192)
source = os.open("pages", os.O_RDONLY)
reader, writer = os.pipe()
other_reader, other_writer = os.pipe()
os.write(writer, b"xx")
near, far = socket.socketpair()
one = ctypes.c_size_t(1)
held = {
    "file to pipe": libc.splice(source, None, other_writer, None, one, 0),
    "pipe to socket": libc.splice(reader, None, near.fileno(), None, one, 0),
    "pipe to pipe": libc.tee(reader, other_writer, one, 0),
    "file to socket": libc.sendfile(near.fileno(), source, None, one),
    "file to a second pipe": libc.sendfile(other_writer, source, None, one),
}
print(held)
print("SUCCEEDED" if max(held.values()) > 0 else "STOPPED")
