# SPDX-License-Identifier: GPL-3.0-or-later
# Sets the clock of the machine.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls clock_settime * denied
# tiers: A A2 B
import time

try:
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
