# SPDX-License-Identifier: GPL-3.0-or-later
# Watches the home to learn what the user does, and when.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes
import os
import sys

IN_ALL_EVENTS = 0xFFF
libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_add_watch(libc.inotify_init(), os.fsencode(sys.argv[1]), IN_ALL_EVENTS)
print("SUCCEEDED" if watch >= 0 else "STOPPED")
