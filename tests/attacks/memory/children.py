# SPDX-License-Identifier: GPL-3.0-or-later
# Has many children that each take less memory than is allowed.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import os
import time

for _ in range(20):
    if os.fork() == 0:
        ballast = b"x" * (40 << 20)
        time.sleep(20)
        os._exit(0)
time.sleep(5)
print("SUCCEEDED")
