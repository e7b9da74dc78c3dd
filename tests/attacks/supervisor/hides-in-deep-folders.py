# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the key by a path that starts from a folder so deep that nobody can say where it is.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open ../*/.ssh/id_rsa observed
# tiers: A A2 B
import os
import sys

top = os.open(".", os.O_RDONLY)
for _ in range(45):
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
try:
    with open("../" * 100 + sys.argv[1].lstrip("/") + "/.ssh/id_rsa", encoding="ascii") as key:
        print(key.read())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
os.fchdir(top)
