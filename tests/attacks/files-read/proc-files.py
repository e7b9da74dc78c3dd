# SPDX-License-Identifier: GPL-3.0-or-later
# Reads world-readable files of /proc about this computer: disks and file systems, devices, load, consoles.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

HARMLESS = {"cpuinfo", "devices", "filesystems", "loadavg", "locks", "meminfo", "mounts", "net", "self", "stat", "sys",
            "thread-self", "uptime", "version", "vmstat"}
found = []
try:
    names = set(os.listdir("/proc"))
except PermissionError:
    names = set()
for name in sorted(names | {"fs", "acpi", "irq", "pressure", "consoles", "iomem", "ioports", "tty",
                                               "mtrr", "cgroups", "crypto", "buddyinfo", "slabinfo", "locks",
                                               "interrupts", "diskstats", "partitions", "key-users", "bus"}):
    if name in HARMLESS or name.isdigit():
        continue
    path = os.path.join("/proc", name)
    try:
        if os.path.isdir(path):
            if os.listdir(path):
                found.append(name)
        else:
            with open(path, "rb") as file:
                if file.read(1):
                    found.append(name)
    except OSError:
        continue
print(*found)
print("SUCCEEDED" if found else "STOPPED")
