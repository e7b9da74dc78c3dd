# SPDX-License-Identifier: GPL-3.0-or-later
# Finds out from files in /proc where the runner is and how it was started.
#
# baseline: skip it is the sandbox that starts it
# arguments: home user
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import sys

seen = b""
for path in ("/proc/self/auxv", "/proc/1/cmdline", "/proc/1/comm", "/proc/self/maps",
             "/proc/self/cgroup", "/proc/self/stat"):
    try:
        seen += open(path, "rb").read()
    except OSError as error:
        print(error)
needles = [b"/home/" + sys.argv[2].encode(), sys.argv[1].encode(), b"/build"]
print([needle for needle in needles if needle in seen])
print("SUCCEEDED" if any(needle in seen for needle in needles) else "STOPPED")
