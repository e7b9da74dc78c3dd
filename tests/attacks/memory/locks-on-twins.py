# SPDX-License-Identifier: GPL-3.0-or-later
# Takes locks on its own files, each with the inode number of a file on another file system that it has open
# already.
#
# baseline: skip it would take memory that no process accounts for
# options: --timeout 120
# expect-status: memory-exceeded:file-locks
# expect-attempt: memory lock files * limited
# slow: yes
# tiers: A A2
import fcntl
import os
import signal
import time

known, files = {}, []
for folder in ("/", "/dev", "/etc", "/workspace", "/tmp", "/dev/shm"):
    for name in [".", *sorted(os.listdir(folder))]:
        try:
            file = os.open(os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue
        number = os.fstat(file).st_ino
        if number >= 2000 or number in known or len(known) == 150:
            os.close(file)
        else:
            known[number] = file
for i in range(1500):
    file = os.open(f"file-{i}", os.O_RDWR | os.O_CREAT)
    if known.get(os.fstat(file).st_ino, file) < file and len(files) < 60:
        files.append(file)
    else:
        os.close(file)
print(len(files), "twins")

reader, writer = os.pipe()
children = []
for child in range(5):
    pid = os.fork()
    if pid == 0:
        for file in files:
            for place in range(1500):
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * (child * 1500 + place))
        os.write(writer, b"x")
        time.sleep(60)
    children.append(pid)
for pid in children:
    os.read(reader, 1)
time.sleep(3)
with open("/proc/locks", encoding="ascii") as locks:
    count = sum(1 for _ in locks)
for pid in children:
    os.kill(pid, signal.SIGKILL)
print(count, "locks")
print("SUCCEEDED" if count > 60000 else "STOPPED")
