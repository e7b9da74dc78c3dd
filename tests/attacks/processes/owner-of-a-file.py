# SPDX-License-Identifier: GPL-3.0-or-later
# Kills a process of the user without sending a signal: declares it the owner of a socket, so that the kernel
# sends it SIGKILL when data arrives.
#
# baseline: works
# arguments: pid
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import fcntl
import os
import socket
import sys
import time

F_SETSIG = 10
process = sys.argv[1]


def is_dead():
    """So far as can be seen; nothing can be where it is still alive."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except FileNotFoundError:
        return True
    except OSError:
        return False


try:
    end, other = socket.socketpair()
    fcntl.fcntl(end, fcntl.F_SETOWN, int(process))
    fcntl.fcntl(end, F_SETSIG, 9)
    fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    other.send(b"x")
    time.sleep(0.2)
    print("SUCCEEDED" if is_dead() else "STOPPED")
except OSError as error:
    print(error)
    print("STOPPED")
