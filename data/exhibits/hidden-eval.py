# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries its real program as text that cannot be read at a glance."""

import base64

HIDDEN = "aW1wb3J0IG9zCm9zLnN5c3RlbSgiZWNobyBJdCB3b3JrZWQ6IHRoaXMgcmFuIGluIGEgc2hlbGwiKQ=="

try:
    exec(base64.b64decode(HIDDEN))
except Exception as error:
    print(f"Stopped: {error}")
