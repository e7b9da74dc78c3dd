# SPDX-License-Identifier: GPL-3.0-or-later
# Handles page faults itself, which helps to win races in the kernel (userfaultfd).
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls userfaultfd * denied
# machine: x86_64
# tiers: A A2 B
import ctypes

SYS_userfaultfd, UFFD_USER_MODE_ONLY = 323, 1
libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY)
print(result, ctypes.get_errno())
print("SUCCEEDED" if result >= 0 else "STOPPED")
