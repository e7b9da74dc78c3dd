# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the CPU time of a program outside, tick by tick, which reveals what its user does.
#
# baseline: works
# arguments: pid
# expect-status: ok
# expect-attempt: any
# expect-attempt-B: system-calls clock_gettime * denied
# tiers: A A2 B
import ctypes
import sys

libc = ctypes.CDLL(None, use_errno=True)
SYS_timer_create, SYS_clock_nanosleep = 222, 230
found = []
time = (ctypes.c_long * 2)()
for kind in range(3):
    # As clock_getcpuclockid (3) makes it.
    clock = ctypes.c_int((~int(sys.argv[1]) << 3) | kind)
    for read in (libc.clock_gettime, libc.clock_getres):
        found.append(read(clock, time))
    found.append(libc.syscall(SYS_timer_create, clock, None, ctypes.byref(ctypes.c_int())))
print(found, list(time))
print("SUCCEEDED" if 0 in found else "STOPPED")
