# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries to open the disk, the memory, the camera and the keyboard."""

DEVICES = ["/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/video0", "/dev/input/event0"]

opened = 0
for path in DEVICES:
    try:
        with open(path, "rb"):
            opened += 1
            print(f"opened  {path}")
    except OSError as error:
        print(f"no      {path}: {error.strerror}")
print(f"It worked: {opened} opened" if opened else "Stopped: none opened")
