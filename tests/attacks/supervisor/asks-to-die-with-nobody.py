# SPDX-License-Identifier: GPL-3.0-or-later
# Clears its parent death signal, and asks for core dumps.
#
# baseline: skip it is harmless
# options: --timeout 1
# expect-status: timed-out:wall
# expect-attempt: time run on * limited
# within: 4
# tiers: A A2 B
import ctypes
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
libc = ctypes.CDLL(None)
libc.prctl(PR_SET_PDEATHSIG, 0)
libc.prctl(PR_SET_DUMPABLE, 1)
libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
time.sleep(60)
