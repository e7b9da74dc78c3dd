# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to every socket that the app has: its bus, its display, those with names that are no files.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: F
import os
import socket

names = {"/run/flatpak/bus", "/run/flatpak/at-spi-bus", "/run/flatpak/a11y-bus", "/run/pulse/native",
         "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0", "/tmp/.X11-unix/X99", "\0/tmp/.X11-unix/X0",
         "\0/tmp/.X11-unix/X99", "\0/tmp/dbus-"}
for name in os.environ.get("DBUS_SESSION_BUS_ADDRESS", "").split(","):
    names.add(name.removeprefix("unix:path="))
for folder in ("/run", "/tmp", f"/run/user/{os.getuid()}"):
    for place, _, files in os.walk(folder):
        names |= {f"{place}/{name}" for name in files}
try:
    with open("/proc/net/unix", encoding="utf-8", errors="replace") as file:
        words = [line.split()[-1] for line in file]
    names |= {word.replace("@", "\0", 1) for word in words if word[0] in "@/"}
except OSError:
    pass
reached = []
for name in sorted(names - {""}):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_UNIX, kind) as client:
                client.settimeout(2)
                client.connect(name)
                reached.append(name)
        except OSError:
            pass
print(reached)
print("SUCCEEDED" if reached else "STOPPED")
