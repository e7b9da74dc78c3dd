# SPDX-License-Identifier: GPL-3.0-or-later
# Ignores and blocks all signals that can be.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: any
# within: 4
# tiers: A A2 B
import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
time.sleep(60)
print("SUCCEEDED")
