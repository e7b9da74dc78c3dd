# SPDX-License-Identifier: GPL-3.0-or-later
# Writes to kernel settings: who gets core dumps, what a crash starts.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe",
             "/proc/sys/user/max_user_namespaces", "/proc/sys/vm/overcommit_memory", "/sys/power/state"):
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write("1")
        print(path, "SUCCEEDED", sep="\n")
    except OSError as error:
        print(error)
print("STOPPED")
