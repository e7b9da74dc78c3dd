# SPDX-License-Identifier: GPL-3.0-or-later
# Uses up all inodes of a file system, with files of one byte.
#
# baseline: skip it would harm everybody on the same file system
# options: --disk-limit 16M
# expect-status: ok disk-limit failed
# expect-attempt: any
# tiers: A A2
import sys

for number in range(300000):
    try:
        with open(f"file-{number}", "wb") as file:
            file.write(b"x")
    except OSError as error:
        print(number, error)
        print("STOPPED")
        sys.exit()
print("SUCCEEDED")
