# SPDX-License-Identifier: GPL-3.0-or-later
# Computes on all processors at the same time.
#
# baseline: skip it would stop the test
# options: --cpu-time 1 --timeout 120
# expect-status: timed-out:cpu
# expect-attempt: time use CPU time * limited
# within: 6
# alone: yes
# tiers: A A2 B
import os

for _ in range(7):
    if os.fork() == 0:
        break
while True:
    pass
