# SPDX-License-Identifier: GPL-3.0-or-later
# Changes the interpreter that runs it, through /proc/self/exe.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import sys

for path in ("/proc/self/exe", sys.executable, "/proc/1/exe"):
    try:
        with open(path, "r+b") as file:
            file.write(b"evil")
        print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
