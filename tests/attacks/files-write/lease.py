# SPDX-License-Identifier: GPL-3.0-or-later
# Takes a lease on a file, so that others wait when they open it.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls fcntl *LEASE* denied
# tiers: A A2 B
import fcntl

with open("file", "w", encoding="ascii") as file:
    try:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        print("SUCCEEDED")
    except OSError as error:
        print(error)
        print("STOPPED")
