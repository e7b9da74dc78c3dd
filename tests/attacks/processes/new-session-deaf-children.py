# SPDX-License-Identifier: GPL-3.0-or-later
# Starts children in sessions of their own that ignore all signals, and waits with them.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: any
# within: 4
# tiers: A A2 B
import os
import signal
import time

for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        os.setpgid(0, 0) if os.getpgrp() != os.getpid() else None
        time.sleep(60)
time.sleep(60)
