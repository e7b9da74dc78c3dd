# SPDX-License-Identifier: GPL-3.0-or-later
# Catches everything that would end it.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 3
# tiers: A A2 B
import signal
import time

signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0)
while True:
    try:
        time.sleep(30)
    except BaseException as error:  # pylint: disable=broad-except
        print(error)
