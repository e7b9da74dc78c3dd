# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a file of a terabyte without writing anything to it.
#
# baseline: may not every file system can hold it
# expect-status: ok disk-limit
# expect-attempt: any
# tiers: A A2 B
import os

with open("big", "wb") as file:
    try:
        os.truncate(file.fileno(), 1 << 40)
        print("SUCCEEDED")
    except OSError as error:
        print(error)
        print("STOPPED")
