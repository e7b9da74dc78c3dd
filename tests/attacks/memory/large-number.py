# SPDX-License-Identifier: GPL-3.0-or-later
# Computes a number too large for any memory.
#
# baseline: skip it would stop the machine
# options: --memory 128M --timeout 2
# expect-status: timed-out memory-exceeded
# expect-attempt: any
# tiers: A A2 B
number = 3
while True:
    number = number * number
