# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the kernel request a key, which starts a program on the host.
#
# baseline: skip it starts a program of the host
# expect-status: ok
# expect-attempt: system-calls request_key * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_request_key = 249
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_request_key, b"user", b"fumehood-attack", b"", 0)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
