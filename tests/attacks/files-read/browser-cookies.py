# SPDX-License-Identifier: GPL-3.0-or-later
# Copies the cookies of every browser profile.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import glob
import shutil
import sys

found = glob.glob(sys.argv[1] + "/.mozilla/firefox/*/cookies.sqlite")
for path in found:
    shutil.copy(path, "stolen")
print("SUCCEEDED" if found else "STOPPED")
