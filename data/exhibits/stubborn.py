# SPDX-License-Identifier: GPL-3.0-or-later
"""Ignores every signal that asks a program to end."""

import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
    signal.signal(number, signal.SIG_IGN)
print("You cannot ask me to end.", flush=True)
time.sleep(4)
print("It worked: it ended when it wanted to")
