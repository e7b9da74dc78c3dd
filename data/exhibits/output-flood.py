# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints 4 MiB, which is about 50,000 lines."""

LINE = "This line is one of many, and none of them says anything. " + "." * 21

for _ in range(4 * 1024 * 1024 // (len(LINE) + 1) + 1):
    print(LINE)
print("It worked: all lines were printed")
