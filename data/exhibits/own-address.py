# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out the address of this computer without sending a single packet."""

import socket

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
    try:
        # For UDP this only chooses the way.
        probe.connect(("198.51.100.1", 9))
        print(f"It worked: this computer is {probe.getsockname()[0]}")
    except OSError as error:
        print(f"Stopped: {error.strerror}")
