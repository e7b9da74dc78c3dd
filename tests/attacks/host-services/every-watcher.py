# SPDX-License-Identifier: GPL-3.0-or-later
# Takes all inotify instances of the user: then no editor or desktop sees a file change.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls inotify_init|inotify_init1 * limited
# disturbs: inotify
# alone: yes
# tiers: A A2 B
import ctypes
import time

libc = ctypes.CDLL(None, use_errno=True)
taken = [watcher for watcher in (libc.inotify_init1(0) for _ in range(400)) if watcher >= 0]
taken += [watcher for watcher in (libc.inotify_init() for _ in range(10)) if watcher >= 0]
print(len(taken))
# Long enough for others to miss them; what is given back meanwhile is taken as well.
end = time.monotonic() + (1 if len(taken) > 16 else 0)
while time.monotonic() < end:
    taken.append(libc.inotify_init1(0))
    time.sleep(0.001)
print("SUCCEEDED" if len(taken) > 16 else "STOPPED")
