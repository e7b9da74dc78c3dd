# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for inherited descriptors of folders and sockets that lead out.
#
# baseline: skip what is open depends on who starts it
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os

# 3 and 255 can be the channel on which it was told what to run.
found = {}
for fd in range(1024):
    try:
        os.fstat(fd)
        found[fd] = os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        continue
leading_out = [link for link in found.values() if not link.startswith(("pipe:", "socket:", "/proc/", "/workspace"))
               and "main.py" not in link and link != "/dev/null"]
print(found)
print("SUCCEEDED" if leading_out else "STOPPED")
