# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes 300 MiB of memory in pieces of 10 MiB and writes to every page."""

pieces = []
for count in range(1, 31):
    pieces.append(bytearray(b"x" * (10 << 20)))
    print(f"{count * 10} MiB", flush=True)
print("It worked: 300 MiB")
