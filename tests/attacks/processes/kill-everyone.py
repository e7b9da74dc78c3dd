# SPDX-License-Identifier: GPL-3.0-or-later
# Kills every process that it may.
#
# baseline: skip it would end the session
# arguments: pid
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys
import time

try:
    os.kill(int(sys.argv[1]), 0)
    print("SUCCEEDED")  # It could; and it need not really do so.
    sys.exit()
except OSError as error:
    print(error)
try:
    os.kill(-1, 9)
except OSError as error:
    print(error)
time.sleep(0.2)
print("STOPPED")
