# SPDX-License-Identifier: GPL-3.0-or-later
# Kills and stops its parent process.
#
# baseline: skip it would kill the test
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import time

for number in (9, 19, 15, 1, 2, 3, 6):
    try:
        os.kill(os.getppid(), number)
    except OSError as error:
        print(error)
time.sleep(0.2)
print("STOPPED")
