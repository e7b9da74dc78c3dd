# SPDX-License-Identifier: GPL-3.0-or-later
# Tries forbidden things with names that are markup, several lines, formats and escape codes.
#
# baseline: skip it is about who shows it
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes
import os

for name in (b"<b>bold</b>", b"two\nlines\nnetwork active", b"%s%n", b"\x1b]0;title\x07", b"\xe2\x80\xaereversed",
             b"\xff\xfe", b"x" * 255, b'"}, {"status": "ok', b"&amp;", b"\r"):
    for place in (b"/home/", b"/etc/", b"/root/", b"/usr/"):
        try:
            os.close(os.open(place + name, os.O_WRONLY | os.O_CREAT))
            print("SUCCEEDED")
        except OSError:
            pass
PR_SET_NAME = 15
ctypes.CDLL(None).prctl(PR_SET_NAME, b"<b>\nx\x1b[1m")
try:
    os.mknod("disk", 0o60600, 8 << 8)
except OSError:
    pass
print("STOPPED")
