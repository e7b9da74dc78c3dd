# SPDX-License-Identifier: GPL-3.0-or-later
# Asks for real-time priority.
#
# baseline: skip what is allowed depends on the session
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

for change in (lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
               lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(99)),
               lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
               lambda: os.setpriority(os.PRIO_USER, 0, 19)):
    try:
        change()
        print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
