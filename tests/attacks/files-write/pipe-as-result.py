# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a pipe, a socket and endless files as results, which block a reader forever.
#
# baseline: skip it is about what is collected
# expect-status: ok
# expect-attempt: any
# within: 5
# tiers: A A2 B
import os
import socket

os.mkfifo("out.txt")
try:
    socket.socket(socket.AF_UNIX).bind("chart.png")
except OSError as error:
    print(error)
os.symlink("/dev/zero", "data.csv")
os.symlink("loop", "loop")
print("STOPPED")
