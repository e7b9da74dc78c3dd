# SPDX-License-Identifier: GPL-3.0-or-later
# Kills itself with the signal for forbidden system calls. The kernel does not distinguish the two.
#
# baseline: skip it is harmless
# expect-status: signalled violation
# expect-attempt: none
# tiers: A A2 B
import os
import signal

os.kill(os.getpid(), signal.SIGSYS)
