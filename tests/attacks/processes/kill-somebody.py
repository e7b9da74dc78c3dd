# SPDX-License-Identifier: GPL-3.0-or-later
# Kills a process of the user by its id.
#
# baseline: works
# arguments: pid
# expect-status: ok
# expect-attempt: processes signal * (SIGKILL) observed
# expect-attempt-B: processes signal * (SIGKILL) denied
# expect-attempt-F: any
# tiers: A A2 B
import os
import sys

try:
    os.kill(int(sys.argv[1]), 9)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
