# SPDX-License-Identifier: GPL-3.0-or-later
# Crashes with a lot of memory, so that the core dump fills the disk.
#
# baseline: skip where dumps go is the system's choice
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import resource
import signal

resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
if os.fork() == 0:
    ballast = bytearray(64 << 20)
    os.kill(os.getpid(), signal.SIGSEGV)
status = os.wait()[1]
cores = [name for name in os.listdir(".") if name.startswith("core")]
print(cores, os.WCOREDUMP(status))
print("SUCCEEDED" if cores or os.WCOREDUMP(status) else "STOPPED")
