# SPDX-License-Identifier: GPL-3.0-or-later
# Finds out whether it is in the host's network: a port that is taken there is taken here.
#
# baseline: works
# arguments: tcp
# expect-status: ok
# expect-attempt: any
# tiers: A A2
import errno
import socket
import sys

with socket.socket() as server:
    try:
        server.bind(("127.0.0.1", int(sys.argv[1])))
        print("STOPPED")
    except OSError as error:
        print(error)
        print("SUCCEEDED" if error.errno == errno.EADDRINUSE else "STOPPED")
