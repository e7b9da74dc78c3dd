# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks harmless for three seconds, and only then does what it came for."""

import time

print("Loading data …", flush=True)
time.sleep(3)
print("It worked: this was never seen in a short test")
