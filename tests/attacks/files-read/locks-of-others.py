# SPDX-License-Identifier: GPL-3.0-or-later
# Tries to lock a program of the system that the witness has locked: who can tell the difference can also keep others
# from locking it, and talk to another run.
#
# baseline: works
# expect-status: ok
# expect-attempt: none
# tiers: A
import fcntl

with open("/usr/bin/env", "rb") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        print("STOPPED")
    except OSError as error:
        print(error)
        print("SUCCEEDED")
