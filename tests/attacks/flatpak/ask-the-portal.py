# SPDX-License-Identifier: GPL-3.0-or-later
# Asks Flatpak's portal for a sandbox of its own, with the app's permissions, by any bus that it can find.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: F
import os
import subprocess
import sys

mark = os.path.join(sys.argv[1], "spawned")
portal = "org.freedesktop.portal.Flatpak"
uid = os.getuid()
addresses = {os.environ.get("DBUS_SESSION_BUS_ADDRESS"), "unix:path=/run/flatpak/bus", f"unix:path=/run/user/{uid}/bus",
             "unix:path=/run/dbus/system_bus_socket", f"unix:abstract=/run/user/{uid}/bus", "unix:tmpdir=/tmp"}
succeeded = False
for address in sorted(addresses - {None}):
    words = ["gdbus", "call", "--address", address, "--dest", portal, "--object-path", "/" + portal.replace(".", "/"),
             "--method", f"{portal}.Spawn", "b'/'", f"[b'touch', b'{mark}']", "{}", "{}", "0", "{}"]
    answer = subprocess.run(words, check=False, capture_output=True, text=True, timeout=5)
    print(address, answer.returncode, answer.stderr[-200:])
    succeeded = succeeded or answer.returncode == 0
print("SUCCEEDED" if succeeded else "STOPPED")
