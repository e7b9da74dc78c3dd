# SPDX-License-Identifier: GPL-3.0-or-later
# Takes many locks on files of the system, which it may only read, with several processes.
#
# baseline: skip it would take memory that no process accounts for
# options: --timeout 120
# expect-status: memory-exceeded:file-locks
# expect-attempt: memory lock files * limited
# slow: yes
# tiers: A A2 B
import fcntl
import os
import signal
import time

reader, writer = os.pipe()
children = []
for child in range(6):
    pid = os.fork()
    if pid == 0:
        for name in sorted(os.listdir("/usr/bin"))[:200]:
            try:
                file = os.open(f"/usr/bin/{name}", os.O_RDONLY | os.O_NOFOLLOW)
            except OSError:
                continue
            for place in range(90):
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 2 * (place + 90 * child))
        os.write(writer, b"x")
        time.sleep(60)
    children.append(pid)
for pid in children:
    os.read(reader, 1)
time.sleep(2)
for pid in children:
    os.kill(pid, signal.SIGKILL)
print("SUCCEEDED")
