# SPDX-License-Identifier: GPL-3.0-or-later
# Prints terminal escape codes: changes of the title, the clipboard, earlier output.
#
# baseline: skip it is about who shows it
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import sys

sys.stdout.write("\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b[2J\x1bP1000p\x1b\\\x1b]8;;http://example.com\x07link\n")
sys.stdout.write("\u202e\u2066reversed\r⚗ Finished\n")
print("STOPPED")
