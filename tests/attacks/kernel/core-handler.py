# SPDX-License-Identifier: GPL-3.0-or-later
# Crashes so that the kernel starts the host's program for cores, as root and with a name that the program
# chose. With a limit of one byte the kernel neither starts it nor writes a file.
#
# baseline: skip it would start that program
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os
import resource
import signal

for limit in (2, 0, resource.RLIM_INFINITY):
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
    except (OSError, ValueError) as error:
        print(error)
allowed = resource.getrlimit(resource.RLIMIT_CORE)
if os.fork() == 0:
    os.kill(os.getpid(), signal.SIGSEGV)
status = os.wait()[1]
cores = [name for name in os.listdir(".") if "core" in name]
print(allowed, cores, os.WCOREDUMP(status))
print("STOPPED" if allowed == (1, 1) and not cores and not os.WCOREDUMP(status) else "SUCCEEDED")
