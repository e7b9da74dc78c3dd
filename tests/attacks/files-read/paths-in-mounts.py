# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the user's name and folders from the list of mounts.
#
# baseline: skip it is the sandbox that mounts folders
# arguments: home user
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import sys

text = open("/proc/self/mountinfo", encoding="utf-8").read() + open("/proc/mounts", encoding="utf-8").read()
print("SUCCEEDED" if any(name in text for name in sys.argv[1:]) else "STOPPED")
