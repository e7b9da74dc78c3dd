# SPDX-License-Identifier: GPL-3.0-or-later
# Inspects init: its memory, its open files, its program.
#
# baseline: skip it is the sandbox that has one
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import os

succeeded = False
for pid in {1, os.getppid()}:
    for name in ("mem", "maps", "environ", "exe", "root", "cwd", "stack", "syscall"):
        try:
            path = f"/proc/{pid}/{name}"
            print(os.readlink(path) if name in ("exe", "root", "cwd") else open(path, "rb").read(1))
            succeeded = True
        except OSError as error:
            print(error)
    try:
        print(os.listdir(f"/proc/{pid}/fd"))
        succeeded = True
    except OSError as error:
        print(error)
print("SUCCEEDED" if succeeded else "STOPPED")
