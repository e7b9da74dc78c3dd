# SPDX-License-Identifier: GPL-3.0-or-later
# Computes in children that live shorter than a tick of the clock, and that the kernel reaps by itself.
#
# baseline: skip it would only compute
# options: --cpu-time 1 --timeout 20
# expect-status: ok timed-out:cpu
# expect-attempt: any
# slow: yes
# tiers: A A2 B
import os
import signal
import time

EACH, MOST = 0.008, 5
try:
    with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
        is_counted = int(file.read()) <= 2
except OSError:
    is_counted = False
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
used = 0
while used < MOST:
    for _ in range(2):
        if os.fork() == 0:
            while time.process_time() < EACH:
                pass
            os._exit(0)
        used += EACH
    time.sleep(EACH)
print(used, "s")
# Elsewhere it is a known limit, not an attack that failed.
print("SUCCEEDED" if is_counted else "STOPPED")
