# SPDX-License-Identifier: GPL-3.0-or-later
# Lowers the limits of the first process, so that the kernel kills it.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import os
import resource
import time

try:
    resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
    print("SUCCEEDED")
except OSError as error:
    print(error)
for policy in (os.SCHED_IDLE, os.SCHED_BATCH):
    try:
        os.sched_setscheduler(1, policy, os.sched_param(0))
        print("SUCCEEDED")
    except OSError as error:
        print(error)
time.sleep(0.2)
print("STOPPED")
