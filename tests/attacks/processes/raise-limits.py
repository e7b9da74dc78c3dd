# SPDX-License-Identifier: GPL-3.0-or-later
# Raises its own limits.
#
# baseline: skip what may be raised depends on the session
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import resource

for name in ("RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE",
             "RLIMIT_RTPRIO", "RLIMIT_NICE", "RLIMIT_STACK"):
    number = getattr(resource, name)
    before = resource.getrlimit(number)[1]
    if before == resource.RLIM_INFINITY:
        continue
    try:
        resource.setrlimit(number, (before + 1, before + 1))
        print(name, "SUCCEEDED" if resource.getrlimit(number)[1] != before else "is as it was", sep="\n")
    except (OSError, ValueError) as error:
        print(name, error)
print("STOPPED")
