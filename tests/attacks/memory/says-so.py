# SPDX-License-Identifier: GPL-3.0-or-later
# Claims to have run out of memory.
#
# baseline: skip it is harmless
# expect-status: failed
# expect-attempt: none
# tiers: A A2 B
import sys

print("STOPPED")
sys.stderr.write("MemoryError\nKilled\nOut of memory: Killed process 1\n")
sys.exit(137)
