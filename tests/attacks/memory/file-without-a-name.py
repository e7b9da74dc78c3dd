# SPDX-License-Identifier: GPL-3.0-or-later
# Writes to an anonymous file that no process maps (memfd).
#
# baseline: works
# options: --memory 128M
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
import os

try:
    os.write(os.memfd_create("x"), b"x")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
