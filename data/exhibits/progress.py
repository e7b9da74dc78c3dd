# SPDX-License-Identifier: GPL-3.0-or-later
"""Colors, and a progress bar that stays on one line."""

import sys
import time

for number, name in enumerate(["red", "green", "yellow", "blue", "magenta", "cyan"], start=31):
    print(f"\033[{number}m{name}\033[0m", end="  ")
print("\033[1mbold\033[0m \033[3mitalic\033[0m \033[4munderlined\033[0m")

steps = 40
for step in range(steps + 1):
    done = "█" * step + "░" * (steps - step)
    print(f"\r{done} {100 * step // steps:3} %", end="", file=sys.stderr, flush=True)
    time.sleep(0.05)
print(file=sys.stderr)
print("Done.")
