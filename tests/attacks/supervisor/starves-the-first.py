# SPDX-License-Identifier: GPL-3.0-or-later
# Starts many busy processes and ends, so that init notices late.
#
# baseline: skip it would stop the machine
# expect-status: ok
# expect-attempt: any
# within: 6
# alone: yes
# tiers: A A2 B
import os

for _ in range(40):
    if os.fork() == 0:
        while True:
            pass
print("STOPPED", flush=True)
os._exit(0)
