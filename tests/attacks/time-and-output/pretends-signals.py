# SPDX-License-Identifier: GPL-3.0-or-later
# Kills itself with the signals that limits use.
#
# baseline: skip it is harmless
# expect-status: signalled
# expect-attempt: none
# tiers: A A2 B
import os
import signal

for number in (signal.SIGXCPU, signal.SIGXFSZ):
    if os.fork() == 0:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os.wait()
signal.signal(signal.SIGXCPU, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGXCPU)
