# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python client share."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

from tap import Tap, must

sys.path.insert(0, str(Path(os.environ["FH_SOURCE_ROOT"]) / "data/client"))
os.environ["FUMEHOODCTL"] = os.environ["FH_CTL"]
import fumehood  # noqa: E402,F401  pylint: disable=wrong-import-position,import-error,unused-import


def raises(kind, words, function, *arguments, **names):
    try:
        function(*arguments, **names)
    except kind as error:
        must(words in str(error), f"the error must say {words!r}: {error}")
    else:
        raise AssertionError(f"{kind.__name__} was expected")


def block(language, code):
    return SimpleNamespace(language=language, code=code)


def run_cases(cases):
    tap = Tap()
    for name, case in cases.items():
        tap.case(name, case)
    return tap.done()
