# SPDX-License-Identifier: GPL-3.0-or-later
"""Knocks at the doors of this computer: databases, printers, remote access."""

import socket

PORTS = {22: "remote access", 631: "printers", 3306: "MySQL", 5432: "PostgreSQL", 6379: "Redis"}

for port, service in PORTS.items():
    with socket.socket() as door:
        door.settimeout(1)
        answer = door.connect_ex(("127.0.0.1", port))
    print(f"{'open  ' if answer == 0 else 'closed'}  {port:5}  {service}")
