# SPDX-License-Identifier: GPL-3.0-or-later
# Computes in short-lived children, so that no process uses much time.
#
# baseline: skip it would stop the test
# options: --cpu-time 1 --timeout 120
# expect-status: timed-out:cpu
# expect-attempt: time use CPU time * limited
# within: 8
# alone: yes
# tiers: A A2 B
import os
import time

while True:
    if os.fork() == 0:
        end = time.process_time() + 0.03
        while time.process_time() < end:
            pass
        os._exit(0)
    os.wait()
