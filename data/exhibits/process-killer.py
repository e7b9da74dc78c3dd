# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries to end every other process that it can see."""

import os
import signal

seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
others = [number for number in seen if number != os.getpid()]
print(f"{len(others)} other processes can be seen")
for number in others:
    try:
        os.kill(number, signal.SIGKILL)
        print(f"{number}: the signal was sent")
    except OSError as error:
        print(f"{number}: {error.strerror}")
print("Who is left? This program is, and your desktop.")
