# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the environment of every other process, where access tokens are.
#
# baseline: works
# arguments: key
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

try:
    numbers = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
except OSError as error:
    print(error)
    numbers = []
for pid in numbers:
    try:
        if sys.argv[1].encode() in open(f"/proc/{pid}/environ", "rb").read():
            print("SUCCEEDED")
            sys.exit()
    except OSError:
        continue
print("STOPPED")
