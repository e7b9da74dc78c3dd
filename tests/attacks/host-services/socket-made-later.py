# SPDX-License-Identifier: GPL-3.0-or-later
# Waits until a host service makes its socket in the interpreter's folders, after all checks, and connects to
# it.
#
# baseline: works
# reaches: later
# arguments: project
# options: --interpreter {project}
# expect-status: ok
# expect-attempt: any
# alone: yes
# tiers: A B
import os
import socket
import sys
import time

PATH = os.path.join(sys.argv[1], "lib/python3/site-packages/service/run/later.sock")
deadline = time.monotonic() + 3
reached = False
while not reached and time.monotonic() < deadline:
    time.sleep(0.05)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(PATH)
            reached = True
    except OSError as error:
        last = error
print("SUCCEEDED" if reached else f"{os.path.lexists(PATH)} {last}\nSTOPPED")
