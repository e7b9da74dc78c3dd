# SPDX-License-Identifier: GPL-3.0-or-later
# Takes tens of thousands of locks on parts of its files. They take kernel memory that is charged to no
# process and no control group.
#
# baseline: skip it would take memory that no process accounts for
# options: --timeout 120
# expect-status: memory-exceeded:file-locks
# expect-attempt: memory lock files * limited
# tiers: A A2 B
import fcntl
import os
import time

taken = 0
for number in range(350):
    file = os.open(f"file-{number}", os.O_RDWR | os.O_CREAT)
    for place in range(280):
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * place)
        taken += 1
time.sleep(2)
print(taken)
print("SUCCEEDED")
