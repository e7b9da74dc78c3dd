# SPDX-License-Identifier: GPL-3.0-or-later
# Opens a socket with a family that has an extra bit set, which the kernel ignores but a filter may not.
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls|network socket *ALG* denied
# machine: x86_64
# tiers: A A2 B
import ctypes

AF_ALG, SOCK_SEQPACKET = 38, 5
libc = ctypes.CDLL(None, use_errno=True)
SYS_socket = {"x86_64": 41}.get(__import__("platform").machine(), 198)
result = libc.syscall(ctypes.c_long(SYS_socket), ctypes.c_ulong(AF_ALG | 1 << 32), ctypes.c_ulong(SOCK_SEQPACKET), 0)
print("SUCCEEDED" if result >= 0 else "STOPPED")
