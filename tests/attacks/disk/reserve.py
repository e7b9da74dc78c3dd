# SPDX-License-Identifier: GPL-3.0-or-later
# Reserves space for a file with fallocate.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M
# expect-status: ok disk-limit
# expect-attempt: any
# tiers: A A2 B
import os

with open("big", "wb") as file:
    try:
        os.posix_fallocate(file.fileno(), 0, 4 << 30)
        print("SUCCEEDED")
    except OSError as error:
        print(error)
        print("STOPPED")
