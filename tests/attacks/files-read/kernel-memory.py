# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the memory of the kernel and of the machine.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
for path in ("/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/1/mem"):
    try:
        with open(path, "rb") as file:
            if file.read(16):
                print(path, "SUCCEEDED", sep="\n")
    except OSError as error:
        print(error)
print("STOPPED")
