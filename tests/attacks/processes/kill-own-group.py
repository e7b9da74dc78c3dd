# SPDX-License-Identifier: GPL-3.0-or-later
# Kills its process group.
#
# baseline: skip it would kill the test
# expect-status: signalled
# expect-attempt: any
# tiers: A A2 B
import os

os.kill(0, 9)
print("SUCCEEDED")
