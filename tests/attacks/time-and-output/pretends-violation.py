# SPDX-License-Identifier: GPL-3.0-or-later
# Kills itself by the signal that forbidden system calls are answered with. The kernel does not tell the two
# apart; nobody is accused but the program itself.
#
# baseline: skip it harms nobody
# expect-status: signalled violation
# expect-attempt: none
# tiers: A A2 B
import os
import signal

os.kill(os.getpid(), signal.SIGSYS)
