# SPDX-License-Identifier: GPL-3.0-or-later
# Closes its output and works on.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 3
# tiers: A A2 B
import os
import time

os.closerange(0, 100)
time.sleep(60)
