# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to the host of a virtual machine, bypassing all network rules (AF_VSOCK).
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls|network socket *VSOCK* denied
# tiers: A A2 B
import socket

try:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
