# SPDX-License-Identifier: GPL-3.0-or-later
# Sets a terminal's line discipline, which loads old drivers into the kernel.
#
# baseline: may there are terminals of one's own outside only
# expect-status: ok
# expect-attempt: system-calls ioctl TIOCSETD denied
# tiers: A A2 B
import fcntl
import os
import struct

TIOCSETD, N_SLIP = 0x5423, 1
answers = []
descriptors = [0, 1]
try:
    descriptors += os.openpty()
except OSError as error:
    print(error)
for descriptor in descriptors:
    try:
        answers.append(fcntl.ioctl(descriptor, TIOCSETD, struct.pack("i", N_SLIP)))
    except OSError as error:
        print(error)
print("SUCCEEDED" if answers else "STOPPED")
