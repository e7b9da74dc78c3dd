# SPDX-License-Identifier: GPL-3.0-or-later
# Runs programs that have more rights than the user: it must not get them.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
status = open("/proc/self/status", encoding="ascii").read()
print("STOPPED" if "NoNewPrivs:\t1" in status else "SUCCEEDED")
