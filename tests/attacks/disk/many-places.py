# SPDX-License-Identifier: GPL-3.0-or-later
# Fills each writable folder up to its limit, so that together they exceed it.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M --memory 256M
# expect-status: ok disk-limit memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2
import os

total = 0
for place in ("/workspace", "/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock", "/dev", "/"):
    try:
        with open(place + "/fill", "wb", buffering=0) as file:
            while total < 100 << 20:
                total += file.write(b"x" * (1 << 20))
    except OSError as error:
        print(error)
print(total >> 20, "MiB")
print("SUCCEEDED" if total > 50 << 20 else "STOPPED")
