# SPDX-License-Identifier: GPL-3.0-or-later
# Matches a short text against an exponential regular expression.
#
# baseline: skip it would stop the test
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 3
# tiers: A A2 B
import re

print(re.match(r"(a+)+$", "a" * 60 + "b"))
