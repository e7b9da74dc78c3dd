# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts a process that leaves its parents, its session and its terminal, to go on alone."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
print("The program ends here; something of it stays behind.")
