# SPDX-License-Identifier: GPL-3.0-or-later
# Puts a key into the keyring of the user, which all sessions share.
#
# baseline: may containers can forbid it
# expect-status: ok
# expect-attempt: system-calls add_key * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_add_key = 248
KEY_SPEC_PROCESS_KEYRING = -2
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_add_key, b"user", b"fumehood-attack", b"x", 1, KEY_SPEC_PROCESS_KEYRING)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
