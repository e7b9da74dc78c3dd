# SPDX-License-Identifier: GPL-3.0-or-later
# Writes forged results to every descriptor.
#
# baseline: skip there is no listener outside
# expect-status: failed internal-error
# expect-status-cell: failed internal-error violation:connection
# expect-attempt: any
# tiers: A A2 B
import os
import struct
import sys

FINISHED = 21
for fd in range(3, 300):
    for data in (b'{"status":"ok","success":true}\n', struct.pack("<IHH", 4, FINISHED, 0) + bytes(4),
                 struct.pack("<I", 1) + b"\x10"):
        try:
            os.write(fd, data)
        except OSError:
            break
print("STOPPED", flush=True)
os._exit(1)
