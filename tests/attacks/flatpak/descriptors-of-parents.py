# SPDX-License-Identifier: GPL-3.0-or-later
# Takes open files from the sandbox's first process, from the runner, and from whatever else is there; and uses what
# it was given beside its three streams.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: F
import ctypes
import os
import stat

SYS_pidfd_open, SYS_pidfd_getfd, SYS_process_vm_readv = 434, 438, 310
libc = ctypes.CDLL(None, use_errno=True)
got = []
for pid in range(1, 64):
    if pid == os.getpid():
        continue
    for folder in (f"/proc/{pid}/fd", f"/proc/{pid}/task/{pid}/fd", f"/proc/{pid}/map_files"):
        try:
            got.append((folder, os.listdir(folder)))
        except OSError:
            pass
    for name in ("environ", "mem", "maps", "cwd", "root", "exe"):
        try:
            os.close(os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
            got.append((pid, name))
        except OSError:
            pass
    pidfd = libc.syscall(SYS_pidfd_open, pid, 0)
    if pidfd >= 0:
        got += [(pid, "getfd", fd) for fd in range(32) if libc.syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0]
    if libc.ptrace(16, pid, None, None) == 0:
        got.append((pid, "ptrace"))
# 255 is the channel on which it was told what to run: a pair of sockets, as in every tier.
for fd in [fd for fd in range(3, 1024) if fd != 255]:
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        continue
    if stat.S_ISSOCK(mode) or stat.S_ISDIR(mode):
        got.append(("inherited", fd))
print(got)
print("SUCCEEDED" if got else "STOPPED")
