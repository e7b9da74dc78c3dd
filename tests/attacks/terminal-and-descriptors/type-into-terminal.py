# SPDX-License-Identifier: GPL-3.0-or-later
# Types a command into the terminal that it was started from (CVE-2017-5226).
#
# baseline: skip the test has no terminal
# expect-status: ok
# expect-attempt: system-calls ioctl *TIOCSTI* denied
# tiers: A A2 B
import fcntl
import os
import termios

for fd in (0, 1, 2):
    try:
        fcntl.ioctl(fd, termios.TIOCSTI, b"x")
        print("SUCCEEDED")
    except OSError as error:
        print(error)
try:
    os.open("/dev/tty", os.O_RDWR)
    print("SUCCEEDED")
except OSError as error:
    print(error)
print("STOPPED")
