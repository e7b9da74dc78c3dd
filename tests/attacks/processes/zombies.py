# SPDX-License-Identifier: GPL-3.0-or-later
# Starts processes that end at once and never reaps them: each keeps its id.
#
# baseline: skip it would stop the machine
# options: --timeout 120 --processes 32
# expect-status: process-limit ok
# expect-attempt: any
# within: 8
# alone: yes
# tiers: A A2 B
import os
import sys

for number in range(3000):
    try:
        if os.fork() == 0:
            os._exit(0)
    except OSError as error:
        print(number, error)
        print("STOPPED")
        sys.exit()
print("SUCCEEDED")
