# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the keys of the user.
#
# baseline: may containers can forbid it
# expect-status: ok
# expect-attempt: system-calls keyctl * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_keyctl, KEYCTL_GET_KEYRING_ID = 250, 0
KEY_SPEC_USER_KEYRING = -4
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
