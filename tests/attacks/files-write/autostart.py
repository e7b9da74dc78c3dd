# SPDX-License-Identifier: GPL-3.0-or-later
# Adds a program that starts with the session.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem create|write to */evil.desktop hidden|denied
# tiers: A A2 B
import sys

try:
    with open(sys.argv[1] + "/.config/autostart/evil.desktop", "w", encoding="ascii") as file:
        file.write("[Desktop Entry]\nType=Application\nName=Evil\nExec=/bin/true\n")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
