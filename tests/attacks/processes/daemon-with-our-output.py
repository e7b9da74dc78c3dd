# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a process behind that keeps the output open, so that a reader waits forever.
#
# baseline: skip it would stop the test
# expect-status: ok
# expect-attempt: any
# within: 3
# tiers: A A2 B
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(60)
print("STOPPED")
