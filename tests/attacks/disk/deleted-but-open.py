# SPDX-License-Identifier: GPL-3.0-or-later
# Deletes files that are still open: they are in no folder, but take space.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M
# expect-status: ok disk-limit
# expect-attempt: any
# tiers: A A2
import os

kept = []
try:
    for number in range(100):
        file = open("file", "wb", buffering=0)
        os.unlink("file")
        kept.append(file)
        if file.write(b"x" * (1 << 20)) < 1 << 20:
            raise OSError("the file is cut")
    print("SUCCEEDED")
except OSError as error:
    print(len(kept), error)
    print("STOPPED")
