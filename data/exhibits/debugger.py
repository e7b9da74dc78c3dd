# SPDX-License-Identifier: GPL-3.0-or-later
"""Attaches to another process, as a debugger would, to read and change its memory."""

import ctypes
import os
import time

PTRACE_ATTACH, PTRACE_DETACH = 16, 17

libc = ctypes.CDLL(None, use_errno=True)
victim = os.fork()
if victim == 0:
    time.sleep(60)
    os._exit(0)
if libc.ptrace(PTRACE_ATTACH, victim, None, None) == 0:
    os.waitpid(victim, 0)
    libc.ptrace(PTRACE_DETACH, victim, None, None)
    print("It worked: attached to another process")
else:
    print(f"Stopped: {os.strerror(ctypes.get_errno())}")
os.kill(victim, 9)
os.waitpid(victim, 0)
