# SPDX-License-Identifier: GPL-3.0-or-later
# Types into the console with ioctls of Linux's virtual terminals (CVE-2023-28100).
#
# baseline: skip the test has no terminal
# expect-status: ok
# expect-attempt: system-calls ioctl *TIOCLINUX* denied
# tiers: A A2 B
import fcntl
import os

TIOCLINUX, TIOCCONS = 0x541C, 0x541D
for request in (TIOCLINUX, TIOCCONS):
    try:
        fcntl.ioctl(0, request, bytes(8))
        print("SUCCEEDED")
    except OSError as error:
        print(error)
for path in ("/dev/console", "/dev/tty0", "/dev/tty1", "/dev/ptmx", "/dev/pts/0", "/dev/vcs"):
    try:
        os.open(path, os.O_RDWR | os.O_NOCTTY)
        print(path, "SUCCEEDED", sep="\n")
    except OSError as error:
        print(error)
print("STOPPED")
