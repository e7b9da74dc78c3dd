# SPDX-License-Identifier: GPL-3.0-or-later
# Computes forever.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 3
# tiers: A A2 B
while True:
    pass
