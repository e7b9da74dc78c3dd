# SPDX-License-Identifier: GPL-3.0-or-later
# Prints invalid UTF-8, including partial characters.
#
# baseline: skip it is about who shows it
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os

os.write(1, b"\xff\xfe\0\xc0\x80\xed\xa0\x80\xf0\x9f\xef\xbb\xbf" + bytes(range(256)) + b"\n")
print("STOPPED")
