# SPDX-License-Identifier: GPL-3.0-or-later
# Asks for a signal whenever something happens in a folder of the system.
#
# baseline: works
# expect-status: ok
# expect-attempt: system-calls fcntl *NOTIFY* denied
# tiers: A A2 B
import fcntl
import os

try:
    fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    print("SUCCEEDED")
except OSError as error:
    print(error)
    print("STOPPED")
