# SPDX-License-Identifier: GPL-3.0-or-later
# Starts processes until there is no process id left.
#
# baseline: skip it would stop the machine
# options: --timeout 120 --processes 32
# expect-status: process-limit ok
# expect-attempt: any
# within: 8
# alone: yes
# tiers: A A2 B
import os
import signal
import sys

started = []
for _ in range(2000):
    try:
        pid = os.fork()
    except OSError as error:
        print(len(started), error)
        print("STOPPED")
        for one in started:
            os.kill(one, signal.SIGKILL)
        sys.exit()
    if pid == 0:
        signal.pause()
        os._exit(0)
    started.append(pid)
print("SUCCEEDED")
