# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads who has an account here, and the hashes of their passwords."""

for path in ("/etc/passwd", "/etc/shadow"):
    try:
        with open(path, encoding="utf-8") as file:
            print(f"It worked: {path} has {len(file.readlines())} lines")
    except OSError as error:
        print(f"Stopped: {path}: {error.strerror}")
