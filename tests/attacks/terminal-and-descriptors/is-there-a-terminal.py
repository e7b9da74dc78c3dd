# SPDX-License-Identifier: GPL-3.0-or-later
# Asks whether its output is a terminal, and what shares it.
#
# baseline: skip the test has no terminal
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

seen = [fd for fd in range(3) if os.isatty(fd)]
print(seen, os.getsid(0) == os.getpid())
print("SUCCEEDED" if seen or os.getsid(0) != os.getpid() else "STOPPED")
