# SPDX-License-Identifier: GPL-3.0-or-later
# Grows so slowly that no single step looks like much.
#
# baseline: skip it would stop the machine
# options: --memory 64M
# expect-status: memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2 B
import time

kept = []
for _ in range(200):
    kept.append(b"x" * (1 << 20))
    time.sleep(0.005)
print("SUCCEEDED")
