# SPDX-License-Identifier: GPL-3.0-or-later
# Tries every socket that a desktop has: display, sound, containers, service managers, printers.
#
# baseline: may there can be none
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import glob
import socket

SOCKETS = ("/tmp/.X11-unix/X*", "/run/user/*/*", "/run/user/*/*/*", "/run/docker.sock", "/var/run/docker.sock",
           "/run/podman/podman.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/systemd/notify",
           "/run/cups/cups.sock", "/run/libvirt/libvirt-sock", "/run/WSL/*", "/dev/log", "/run/snapd.socket",
           "/run/systemd/journal/*", "/run/udev/control")
reached = []
for path in [path for pattern in SOCKETS for path in {pattern, *glob.glob(pattern)}]:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_UNIX, kind) as client:
                client.settimeout(1)
                client.connect(path)
            reached.append(path)
        except OSError:
            continue
print(reached)
print("SUCCEEDED" if reached else "STOPPED")
