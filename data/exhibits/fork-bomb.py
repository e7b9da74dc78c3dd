# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts processes that do nothing but wait, until it may start no more."""

import os
import time

children = 0
try:
    while children < 500:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        children += 1
except OSError as error:
    print(f"Stopped after {children} processes: {error.strerror}")
    # Full for a while: processes are counted many times a second, and this would end before.
    time.sleep(1)
else:
    print(f"It worked: {children} processes")
