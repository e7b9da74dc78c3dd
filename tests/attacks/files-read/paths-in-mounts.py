# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the user's name and folders from the list of mounts.
#
# baseline: skip it is the sandbox that mounts folders
# arguments: home user
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import re
import sys

home, user = sys.argv[1:]
lines = open("/proc/self/mountinfo", encoding="utf-8").read().splitlines()
# What the host calls it: the folder that is mounted, the device, its options. The mount points are the sandbox's own,
# and a name at the very top is a folder of every system: that there is a /dev tells nothing about a user dev.
sources = [f" {line.split()[3]} {' '.join(line.partition(' - ')[2].split()[1:])}" for line in lines]
named = re.compile(rf"(?<![A-Za-z0-9])(?<![ =:,]/){re.escape(user)}(?![A-Za-z0-9])")
known = any(map(named.search, sources)) or home in "".join(lines) + open("/proc/mounts", encoding="utf-8").read()
print("SUCCEEDED" if known else "STOPPED")
