# SPDX-License-Identifier: GPL-3.0-or-later
# Stops init, so that the end is not reported.
#
# baseline: skip it is the sandbox that has one
# expect-status: ok
# expect-attempt: any
# within: 4
# tiers: A A2
import os
import signal
import time

for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGKILL):
    try:
        os.kill(1, number)
        signal.pidfd_send_signal(os.pidfd_open(1), number)
    except OSError as error:
        print(error)
time.sleep(0.1)
print("STOPPED")
