# SPDX-License-Identifier: GPL-3.0-or-later
# Makes obsolete system calls.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes

CALLS = {"uselib": 134, "ustat": 136, "sysfs": 139, "_sysctl": 156, "create_module": 174, "nfsservctl": 180,
         "vserver": 236, "lookup_dcookie": 212}
libc = ctypes.CDLL(None, use_errno=True)
results = {name: libc.syscall(number, 3, 0, 0) for name, number in CALLS.items()}
print(results)
print("SUCCEEDED" if any(result >= 0 for result in results.values()) else "STOPPED")
