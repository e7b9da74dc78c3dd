# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves orphans behind as fast as it can, for init to reap.
#
# baseline: skip it would stop the machine
# options: --timeout 2
# expect-status: timed-out:wall process-limit
# expect-attempt: any
# within: 5
# alone: yes
# tiers: A A2 B
import os

while True:
    try:
        if os.fork() == 0:
            for _ in range(20):
                if os.fork() == 0:
                    os._exit(0)
            os._exit(0)
        os.wait()
    except OSError:
        continue
