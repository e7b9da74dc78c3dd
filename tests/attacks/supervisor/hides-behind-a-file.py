# SPDX-License-Identifier: GPL-3.0-or-later
# Names what is no folder as the folder of a path, so that nothing is looked up any more, and then reads the key by a
# path that starts from an open folder.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden|denied
# tiers: A A2 B
import os
import socket
import sys

pair = socket.socketpair()
with open("file", "wb"):
    pass
places = [os.open("file", os.O_RDONLY), *os.pipe(), pair[0].fileno()]
for place in 20 * places:
    try:
        os.open("x", os.O_RDONLY, dir_fd=place)
    except OSError:
        pass
root = os.open("/", os.O_PATH)
try:
    key = os.open(f"{sys.argv[1]}/.ssh/id_rsa".lstrip("/"), os.O_RDONLY, dir_fd=root)
    print(os.read(key, 100))
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
