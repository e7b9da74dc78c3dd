# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a file again and again and closes none."""

files = []
try:
    while len(files) < 5000:
        files.append(open("/dev/null", "rb"))
except OSError as error:
    print(f"Stopped after {len(files)} files: {error.strerror}")
else:
    print(f"It worked: {len(files)} files")
