# SPDX-License-Identifier: GPL-3.0-or-later
# Runs set-user-ID programs, which must not gain privileges.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes

PR_GET_NO_NEW_PRIVS = 39
print("STOPPED" if ctypes.CDLL(None).prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 else "SUCCEEDED")
