# SPDX-License-Identifier: GPL-3.0-or-later
# Makes itself look like another app, or like none: changes or covers the file by which portals and the runner know
# that Flatpak made this sandbox.
#
# baseline: skip Flatpak keeps the app itself from it
# expect-status: ok
# expect-attempt: any
# tiers: F
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
done = []
with open("forged", "w", encoding="ascii") as file:
    file.write("[Application]\nname=org.example.Other\n[Context]\nfilesystems=host;\n")
own = os.path.abspath("forged")
for path in ("/.flatpak-info", "/run/.userns", "/run/host/container-manager", "/run/host/os-release"):
    ways = (lambda: os.rename(own, path), lambda: os.link(own, path), lambda: os.symlink(own, path),
            lambda: os.unlink(path), lambda: os.truncate(path, 0), lambda: os.rename(path, own + "-taken"),
            lambda: os.close(os.open(path, os.O_WRONLY)), lambda: os.chmod(path, 0o666))
    for number, way in enumerate(ways):
        try:
            way()
            done.append((path, number))
        except OSError:
            pass
    if libc.mount(own.encode(), path.encode(), None, 4096, None) == 0:
        done.append((path, "covered"))
if libc.chroot(b".") == 0 or libc.unshare(0x10020000) == 0:
    done.append("a root of its own")
print(done)
print("SUCCEEDED" if done else "STOPPED")
