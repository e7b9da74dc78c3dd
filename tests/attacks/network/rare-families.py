# SPDX-License-Identifier: GPL-3.0-or-later
# Opens sockets of rarely used families that had vulnerabilities: Bluetooth, CAN, XDP, KCM, TIPC, RDS, NFC
# and others.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls|network socket *BLUETOOTH* denied
# tiers: A A2 B
import socket

BLUETOOTH = 31
opened = []
for family in [BLUETOOTH, *(n for n in range(1, 50) if n not in (1, 2, 10, 16, 17, 31, 38, 40))]:
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind)
            opened.append(family)
        except OSError:
            continue
print(opened)
print("SUCCEEDED" if opened else "STOPPED")
