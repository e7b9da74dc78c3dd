# SPDX-License-Identifier: GPL-3.0-or-later
# Starts threads until there is no id left.
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
import threading
import time

started = 0
for _ in range(2000):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        started += 1
    except RuntimeError as error:
        print(started, error)
        print("STOPPED", flush=True)
        os._exit(0)
print("SUCCEEDED", flush=True)
os._exit(0)
