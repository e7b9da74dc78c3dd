# SPDX-License-Identifier: GPL-3.0-or-later
# Signals every process id: one of them may be the supervisor.
#
# baseline: skip it would end the session
# options: --timeout 120
# expect-status: ok
# expect-attempt: any
# slow: yes
# tiers: A A2 B
import os
import time

hit = []
for pid in range(2, 70000):
    if pid == os.getpid():
        continue
    try:
        os.kill(pid, 18)
        hit.append(pid)
    except OSError:
        continue
time.sleep(0.2)
print(hit)
print("SUCCEEDED" if hit else "STOPPED")
