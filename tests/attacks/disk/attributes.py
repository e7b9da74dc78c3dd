# SPDX-License-Identifier: GPL-3.0-or-later
# Writes without end to extended attributes, which are in no file.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M
# expect-status: ok disk-limit memory-exceeded
# expect-attempt: any
# alone: yes
# needs: disk
# tiers: A A2
import os

size = 0
try:
    for number in range(4000):
        open(f"file-{number}", "wb").close()
        for name in range(4):
            os.setxattr(f"file-{number}", f"user.{name}", b"x" * 16000)
            size += 16000
    print("SUCCEEDED")
except OSError as error:
    print(size >> 20, "MiB", error)
    print("STOPPED" if size < 64 << 20 else "SUCCEEDED")
