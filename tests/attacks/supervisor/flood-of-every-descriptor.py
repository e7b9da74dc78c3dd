# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a gigabyte to every descriptor except its output.
#
# baseline: skip there is no listener outside
# options: --timeout 3
# expect-status: ok failed timed-out internal-error
# expect-status-cell: violation
# expect-attempt: any
# within: 6
# alone: yes
# tiers: A A2 B
import os
import sys

for fd in range(3, 300):
    try:
        os.set_blocking(fd, False)
        total = 0
        while total < 1 << 30:
            total += os.write(fd, b"\xff" * (1 << 20))
    except OSError:
        continue
print("STOPPED")
