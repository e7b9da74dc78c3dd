# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a condition, never for a time."""

import os
import time

# Patience costs nothing where all is well. A busy machine needs some, sanitizers need more.
SANITIZED = bool(os.environ.get("FH_SANITIZED"))
PATIENCE = 12 if SANITIZED else 4


def wait_for(condition, what, timeout=10, interval=0.04):
    """The first true value of condition(); an AssertionError that says `what` after the timeout."""
    end = time.monotonic() + timeout * PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout * PATIENCE} s for {what}")
        time.sleep(interval)
