# SPDX-License-Identifier: GPL-3.0-or-later
# Watches programs and devices of the system to learn which of them others use, and when.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls inotify_init|inotify_init1 * limited
# tiers: A A2 B
import ctypes
import os
import select

IN_OPEN = 0x20
libc = ctypes.CDLL(None, use_errno=True)
watcher = libc.inotify_init1(os.O_CLOEXEC)
watches = [libc.inotify_add_watch(watcher, path, IN_OPEN) for path in (b"/usr/bin/env", b"/dev/null")]
# The witness opens both again and again.
heard = max(watches) >= 0 and select.select([watcher], [], [], 2)[0]
print(watcher, watches)
print("SUCCEEDED" if heard else "STOPPED")
