# SPDX-License-Identifier: GPL-3.0-or-later
# Writes where a sub-sandbox of Flatpak has no limit: temporary folders, shared memory, folders for sockets.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: F
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
folders = ["/tmp", "/var/tmp", "/dev/shm", "/run", f"/run/user/{os.getuid()}", "/run/flatpak", "/", "/var", "/var/cache",
           "/var/config", "/var/data", "/home", "/dev", "/etc", "/sys", "/dev/mqueue", os.path.expanduser("~/../.."),
           "..", "../..", "../../.."]
written = []
for folder in folders:
    path = os.path.join(folder, "fumehood-attack-fill")
    ways = (lambda: os.open(path, os.O_CREAT | os.O_RDWR, 0o600), lambda: os.open(folder, os.O_TMPFILE | os.O_RDWR),
            lambda: os.mkdir(path), lambda: os.mkfifo(path), lambda: os.symlink("x", path))
    for number, way in enumerate(ways):
        try:
            fd = way()
        except OSError:
            continue
        written.append((folder, number))
        if fd is not None:
            os.write(fd, bytes(1 << 20))
            os.close(fd)
        try:
            (os.rmdir if number == 2 else os.unlink)(path)
        except OSError:
            pass
if libc.shm_open(b"/fumehood-attack-fill", os.O_CREAT | os.O_RDWR, 0o600) >= 0:
    libc.shm_unlink(b"/fumehood-attack-fill")
    written.append("shm_open")
print(written)
print("SUCCEEDED" if written else "STOPPED")
