# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a symbolic link to the key as a result, to be followed when results are collected.
#
# baseline: skip it is about what is collected
# arguments: home
# expect-status: ok
# expect-attempt: filesystem create */out.txt -> */.ssh/id_rsa observed
# tiers: A A2 B
import os
import sys

os.symlink(sys.argv[1] + "/.ssh/id_rsa", "out.txt")
os.symlink(sys.argv[1], "results")
os.symlink("/etc/shadow", "chart.png")
os.symlink("/proc/self/environ", "environ.txt")
print("STOPPED")
