# SPDX-License-Identifier: GPL-3.0-or-later
# Changes its root folder, the first step of an old escape.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls chroot * denied
# tiers: A A2 B
import os

try:
    os.chroot("/tmp")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
