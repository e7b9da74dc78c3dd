# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads private keys and access tokens where people keep them."""

import os

PLACES = [
    "~/.ssh/id_rsa",
    "~/.ssh/id_ed25519",
    "~/.aws/credentials",
    "~/.config/gh/hosts.yml",
]

found = 0
for place in PLACES:
    try:
        with open(os.path.expanduser(place), "rb") as file:
            found += len(file.read()) > 0
            print(f"found    {place}")
    except OSError as error:
        print(f"nothing  {place}: {error.strerror}")
print(f"It worked: {found} found" if found else "Stopped: nothing found")
