# SPDX-License-Identifier: GPL-3.0-or-later
# Asks which pages of system files are in memory, which reveals what other programs have read.
#
# baseline: may the kernel is older than the call, or tells it to the owner only
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes
import os

SYS_cachestat = 451
libc = ctypes.CDLL(None, use_errno=True)
answers = []
for path in [path for path in ("/usr/bin/python3", "/etc/ld.so.cache", "own") if path == "own" or os.path.exists(path)]:
    file = os.open(path, os.O_RDWR | os.O_CREAT if path == "own" else os.O_RDONLY)
    pages, whole = (ctypes.c_uint64 * 5)(), (ctypes.c_uint64 * 2)()
    answers.append((libc.syscall(SYS_cachestat, file, whole, pages, 0), list(pages)))
print(answers)
print("SUCCEEDED" if any(answer == 0 for answer, _ in answers) else "STOPPED")
