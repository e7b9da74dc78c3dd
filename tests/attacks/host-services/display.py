# SPDX-License-Identifier: GPL-3.0-or-later
# Looks at the screen and types for the user, by the X server's abstract socket and its port.
#
# baseline: may there can be no display
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import socket

reached = []
for number in range(100):
    for family, address in ((socket.AF_UNIX, f"\0/tmp/.X11-unix/X{number}"), (socket.AF_UNIX, f"/tmp/.X11-unix/X{number}"),
                            (socket.AF_INET, ("127.0.0.1", 6000 + number))):
        try:
            with socket.socket(family) as client:
                client.settimeout(1)
                client.connect(address)
            reached.append(address)
        except OSError:
            continue
print(reached)
print("SUCCEEDED" if reached else "STOPPED")
