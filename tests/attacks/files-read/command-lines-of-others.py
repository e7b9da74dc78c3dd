# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the command lines of other programs, which may contain passwords.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

try:
    numbers = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
except OSError as error:
    print(error)
    numbers = []
seen = []
for pid in numbers:
    try:
        words = open(f"/proc/{pid}/cmdline", "rb").read().replace(b"\0", b" ")
    except OSError:
        continue
    if words:
        seen.append(words)
print(seen[:3])
print("SUCCEEDED" if seen else "STOPPED")
