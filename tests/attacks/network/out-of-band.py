# SPDX-License-Identifier: GPL-3.0-or-later
# Sends out-of-band data, which has been used to break out of a browser (CVE-2025-38236).
#
# baseline: may kernels differ in what they have
# expect-status: ok
# expect-attempt: system-calls sendto|sendmsg|sendmmsg * denied
# tiers: A A2 B
import socket

sent = 0
for send in ("send", "sendmsg"):
    left, right = socket.socketpair()
    try:
        sent += left.send(b"x", socket.MSG_OOB) if send == "send" else left.sendmsg([b"x"], [], socket.MSG_OOB)
    except OSError as error:
        print(error)
print("SUCCEEDED" if sent else "STOPPED")
