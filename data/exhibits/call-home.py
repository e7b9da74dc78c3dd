# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects what it can learn and sends it to a server."""

import json
import os
import urllib.request

report = json.dumps({"system": os.uname().release, "user": os.getuid()})
print(f"Sending {report}")
try:
    urllib.request.urlopen("http://198.51.100.7/collect", report.encode(), timeout=3)
    print("It worked: sent")
except OSError as error:
    print(f"Stopped: {error}")
