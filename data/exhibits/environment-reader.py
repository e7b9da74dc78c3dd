# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks through the environment for passwords and tokens."""

import os

WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "SESSION", "USER", "DISPLAY")

found = sorted(name for name in os.environ if any(word in name for word in WORDS))
print(f"{len(os.environ)} variables")
for name in found:
    print(f"found  {name}")
print(f"It worked: {len(found)} of interest" if found else "Stopped: none of interest")
