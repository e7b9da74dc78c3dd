# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a cloud machine for its own credentials at the address where all of them keep these."""

import urllib.request

ADDRESS = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"

try:
    with urllib.request.urlopen(ADDRESS, timeout=3) as answer:
        print(f"It worked: {answer.read(200)!r}")
except OSError as error:
    print(f"Stopped: {error}")
