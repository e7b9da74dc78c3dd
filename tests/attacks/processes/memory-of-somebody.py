# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the memory of another process of the user.
#
# baseline: may the kernel can forbid it
# arguments: pid
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import sys

try:
    for line in open(f"/proc/{sys.argv[1]}/maps", encoding="utf-8"):
        if "[stack]" in line:
            start = int(line.split("-")[0], 16)
            with open(f"/proc/{sys.argv[1]}/mem", "rb") as memory:
                memory.seek(start)
                memory.read(16)
            print("SUCCEEDED")
except OSError as error:
    print(error)
print("STOPPED")
