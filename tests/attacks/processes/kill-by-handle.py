# SPDX-License-Identifier: GPL-3.0-or-later
# Kills a process of the user through a pidfd, bypassing filters that only know kill.
#
# baseline: works
# arguments: pid
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import signal
import sys

try:
    signal.pidfd_send_signal(os.pidfd_open(int(sys.argv[1])), 9)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
