# SPDX-License-Identifier: GPL-3.0-or-later
# Takes more memory than allowed in one piece, and goes on when it does not get it.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
try:
    kept = bytearray(4 << 30)
    print("SUCCEEDED")
except MemoryError:
    print("STOPPED")
