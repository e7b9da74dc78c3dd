# SPDX-License-Identifier: GPL-3.0-or-later
# Takes the time in which it may clean up, and that of what it leaves behind, to stay: its main process ends on SIGTERM,
# and its children, which ignore signals and have its output, make others in new sessions all the time.
#
# baseline: skip it would go on for ever
# options: --timeout 1 --processes 32
# expect-status: timed-out:wall process-limit
# expect-attempt: any
# within: 3
# tiers: A A2 B
import os
import signal
import time


def goes_on():
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_IGN)
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        os.write(1, b"x")
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
            else:
                os._exit(0)
        except OSError:
            pass
        time.sleep(0.001)


signal.signal(signal.SIGTERM, lambda *rest: os._exit(0))
for _ in range(8):
    if os.fork() == 0:
        goes_on()
signal.pause()
