# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a condition, never for a time."""

import os
import time

# Sanitizers make everything several times slower; no test says less because of it.
PATIENCE = 5 if os.environ.get("FH_SANITIZED") else 1


def wait_for(condition, what, timeout=10, interval=0.02):
    """The first true value of condition(); an AssertionError that says `what` after the timeout."""
    end = time.monotonic() + timeout * PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout * PATIENCE} s for {what}")
        time.sleep(interval)
