# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves thousands of events unread in each of many inotify queues, which take kernel memory.
#
# baseline: skip watchers of all programs of the user share a limit
# options: --memory 64M
# expect-status: ok
# expect-attempt: any
# alone: yes
# tiers: A A2
import ctypes
import os

NAME, EVENT = "x" * 200, 512
MOST = 64 << 20
libc = ctypes.CDLL(None)
os.mkdir("d")
queues = [queue for queue in (libc.inotify_init1(os.O_NONBLOCK) for _ in range(64)) if queue >= 0]
watches = [libc.inotify_add_watch(queue, b"d", 0xFFF) for queue in queues]
with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
    most = int(file.read())
# Two kinds of events, so that none equals the one before it.
if queues:
    for number in range(most // 4 + 1):
        path = f"d/{number % 2}{NAME}"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        os.unlink(path)
held = sum(watch > 0 for watch in watches) * most * EVENT
print(len(queues), "queues", held >> 20, "MiB")
print("SUCCEEDED" if held > MOST else "STOPPED")
