# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the kernel's cryptography, through which read-only files could be written (CVE-2026-31431).
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls|network socket *ALG* denied
# tiers: A A2 B
import socket

try:
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
