# SPDX-License-Identifier: GPL-3.0-or-later
# Replaces its own source with a link to a file of the user, so that later writes change that file.
#
# baseline: skip it is about what the host does later
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import sys

for name in os.listdir("."):
    os.unlink(name)
    os.symlink(sys.argv[1] + "/.bashrc", name)
print("STOPPED")
