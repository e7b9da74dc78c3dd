# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files of 1 MiB until there are 24 of them."""

written = 0
try:
    for written in range(24):
        with open(f"junk-{written:02}", "wb") as file:
            file.write(b"\0" * (1 << 20))
except OSError as error:
    print(f"Stopped after {written} MiB: {error.strerror}")
else:
    print("It worked: 24 MiB")
