# SPDX-License-Identifier: GPL-3.0-or-later
# Has many short-lived children try forbidden things: they are gone before the answer comes.
#
# baseline: skip there is no listener outside
# options: --timeout 2
# expect-status: timed-out:wall process-limit
# expect-attempt: any
# within: 5
# alone: yes
# tiers: A A2 B
import ctypes
import os
import signal
import threading
import time

libc = ctypes.CDLL(None)
while True:
    pid = os.fork()
    if pid == 0:
        threading.Thread(target=lambda: [libc.unshare(0x10000000) for _ in range(100)]).start()
        for number in range(100):
            try:
                open(f"/home/nobody/{number}", "wb")
            except OSError:
                pass
        time.sleep(1)
    time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
