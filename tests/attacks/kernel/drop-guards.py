# SPDX-License-Identifier: GPL-3.0-or-later
# Tries to remove its guards: Landlock, the filter, no_new_privs.
#
# baseline: skip nothing of it is there outside
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import ctypes

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAP_AMBIENT, PR_SET_SECUREBITS, PR_SET_KEEPCAPS = 38, 22, 47, 28, 8
libc = ctypes.CDLL(None, use_errno=True)
results = {
    "no new privileges": libc.prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0),
    "seccomp": libc.prctl(PR_SET_SECCOMP, 0, 0, 0, 0),
    "ambient": libc.prctl(PR_CAP_AMBIENT, 2, 21, 0, 0),
    "secure bits": libc.prctl(PR_SET_SECUREBITS, 0, 0, 0, 0),
    "capset": libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(0xFFFFFFFF, 0xFFFFFFFF)),
}
print(results)
print("SUCCEEDED" if 0 in results.values() else "STOPPED")
