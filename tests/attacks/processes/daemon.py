# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a detached process behind that works on when the run has ended.
#
# baseline: works
# mark: /dev/shm/fumehood-attack-mark
# expect-status: ok
# expect-attempt: any
# within: 3
# tiers: A A2 B
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 100)
        time.sleep(0.3)
        with open("/dev/shm/fumehood-attack-mark", "w", encoding="ascii") as file:
            file.write("evil")
        time.sleep(30)
    os._exit(0)
