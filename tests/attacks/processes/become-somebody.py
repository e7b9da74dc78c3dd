# SPDX-License-Identifier: GPL-3.0-or-later
# Becomes another user or root.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

for change in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgid(0),
               lambda: os.setgroups([0]), lambda: os.chown("/workspace", 0, 0)):
    try:
        change()
        print("SUCCEEDED")
    except OSError as error:
        print(error)
print("STOPPED")
