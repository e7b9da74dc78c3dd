# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes to files that run by themselves at the next login."""

import os

PLACES = ["~/.bashrc", "~/.profile", "~/.config/autostart/helper.desktop"]

for place in PLACES:
    path = os.path.expanduser(place)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        file.write("# This would run at the next login.\n")
    print(f"written: {place}")
print("It believes that it worked. Where did the files go? See Files.")
