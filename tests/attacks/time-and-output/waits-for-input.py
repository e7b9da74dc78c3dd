# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for input that never comes.
#
# baseline: skip it would stop the test
# expect-status: ok
# expect-attempt: none
# within: 3
# tiers: A A2 B
import sys

print(repr(sys.stdin.read()))
print("STOPPED")
