# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a set-user-ID program that runs with the user's rights when started later.
#
# baseline: skip everybody may do so with their own files
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import os
import shutil

shutil.copy("/bin/sh", "evil")
os.chmod("evil", 0o6755)
print("STOPPED" if os.statvfs("evil").f_flag & os.ST_NOSUID else "SUCCEEDED")
