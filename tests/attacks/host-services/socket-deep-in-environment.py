# SPDX-License-Identifier: GPL-3.0-or-later
# Connects to a host service whose socket is deep in the folders of the interpreter that runs it.
#
# baseline: works
# reaches: deep
# arguments: busy
# options: --interpreter {busy}
# expect-status: ok
# expect-status-A2: guard-failed
# expect-attempt: network connect */agent.sock denied|hidden|observed
# expect-attempt-A2: any
# expect-status-B: guard-failed
# expect-attempt-B: any
# tiers: A A2 B
import os
import socket
import sys

reached = False
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            if name != "agent.sock":
                continue
            try:
                with socket.socket(socket.AF_UNIX, kind) as client:
                    client.connect(path)
                    reached = True
            except OSError as error:
                print(path, error)
print("SUCCEEDED" if reached else "STOPPED")
