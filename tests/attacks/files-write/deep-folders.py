# SPDX-License-Identifier: GPL-3.0-or-later
# Nests folders until their path is too long.
#
# baseline: skip it is about what is left
# expect-status: ok
# expect-status-B: ok disk-limit
# expect-attempt: any
# options: --timeout 120
# within: 25
# tiers: A A2 B
import os

for _ in range(3000):
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
open("deepest", "w", encoding="ascii").close()
print("STOPPED")
