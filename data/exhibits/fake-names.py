# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves files whose names look like something else."""

NAMES = [
    "invoice\u202efdp.sh",  # the rest is shown from right to left
    "p\u0430ypal.html",  # the second letter is Cyrillic
    "notes.txt\nevil.sh",  # a line break
    "photo.png" + " " * 60 + ".sh",
]

for name in NAMES:
    with open(name, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n")
print(f"{len(NAMES)} files with false names: look at them in Files.")
