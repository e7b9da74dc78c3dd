# SPDX-License-Identifier: GPL-3.0-or-later
# Takes all memory there is.
#
# baseline: skip it would stop the machine
# options: --memory 128M
# expect-status: memory-exceeded
# expect-attempt: any
# alone: yes
# tiers: A A2 B
kept = []
while True:
    kept.append(bytearray(1 << 20))
