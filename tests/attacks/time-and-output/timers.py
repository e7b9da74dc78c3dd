# SPDX-License-Identifier: GPL-3.0-or-later
# Sets a timer that fires as often as possible.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 3
# tiers: A A2 B
import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 1e-6, 1e-6)
while True:
    signal.pause()
