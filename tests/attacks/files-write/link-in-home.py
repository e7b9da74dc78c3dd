# SPDX-License-Identifier: GPL-3.0-or-later
# Puts symbolic links into the home, in place of files that are written later.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

try:
    os.symlink("/dev/null", sys.argv[1] + "/.bash_history")
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
