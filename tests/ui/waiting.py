# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting for a condition, never for a time."""

import os
import time

# Patience costs nothing where all is well. A busy or a slow machine needs some, sanitizers need more.
SANITIZED = bool(os.environ.get("FH_SANITIZED"))
PATIENCE = 36 if SANITIZED else 12
# For what answers at once unless something is broken: a call of another program, or one on a bus.
ANSWER_S = 10 * PATIENCE


# Each raises an AssertionError when what it watches has died: then nothing comes any more.
WATCHES = []
# What does not come at once is looked for with more care.
DOUBT_S = 1
in_doubt = False
# While a condition is looked at, this has what was seen for it so far, all of one moment. Outside of waits it is None.
seen = None


def _must_all_live():
    for must_live in WATCHES:
        must_live()


def _is_gone(error):
    """Whether it says that something accessible is no longer there: it was found, and has gone before it was asked."""
    return "org.freedesktop.DBus.Error.UnknownMethod" in str(error) and "/a11y/" in str(error)


def wait_for(condition, what, timeout=10, interval=0.04):
    """The first true value of condition(); an AssertionError that says `what` after the timeout, or at once
    why it cannot come."""
    global in_doubt, seen  # pylint: disable=global-statement
    outer = seen
    begun = time.monotonic()
    doubt = begun + DOUBT_S
    try:
        while True:
            looked = time.monotonic()
            seen = {}
            try:
                value = condition()
            except Exception as error:
                _must_all_live()
                if not _is_gone(error):
                    raise
                value = None
            if value:
                return value
            _must_all_live()
            now = time.monotonic()
            if now > begun + timeout * PATIENCE:
                raise AssertionError(f"waited {timeout * PATIENCE} s for {what}")
            # A look takes time from the program that is looked at: it has at least two thirds of a processor for itself.
            time.sleep(max(interval, 2 * (now - looked)))
            in_doubt = now > doubt
            if in_doubt:
                doubt = now + (now - begun)
    finally:
        in_doubt = False
        seen = outer
        forget()


def forget():
    """After something was done, or time has passed, what was seen before is of another moment."""
    if seen:
        seen.clear()


def wait_equal(look, wanted, what, timeout=10):
    """Waits until a look at something gives this; the AssertionError says what it gave last."""
    seen = []

    def is_so():
        seen[:] = [look()]
        return seen[0] == wanted

    try:
        wait_for(is_so, what, timeout)
    except AssertionError as error:
        raise AssertionError(f"{error}: expected {wanted!r}, got {seen}") from None


def not_yet(has_happened, what):
    """Looks once whether something has happened that must not. It shows something only after a wait for what comes
    later than that would have come."""
    if has_happened():
        raise AssertionError(what)
