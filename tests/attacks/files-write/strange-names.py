# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves files with special names: options, formats, several lines, right-to-left text, invalid UTF-8.
#
# baseline: skip it is about what is collected
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

for name in (b"-rf", b"%s%n", b"two\nlines", b"\xe2\x80\xaegnp.exe", b"\xff\xfe", b"\x1b]0;evil\x07", b"x" * 255,
             b"<b>bold", b"'; rm -rf ~; '", b"\xed\xa0\x80", b" ", b"~"):
    with open(name, "wb") as file:
        file.write(b"x")
os.makedirs(os.fsencode("d" * 200 + "/" + "e" * 200))
print("STOPPED")
