# SPDX-License-Identifier: GPL-3.0-or-later
# Writes into named pipes of the host in the folders of the interpreter that runs it, and reads what was
# meant for others: a read-only mount does not prevent that.
#
# baseline: works
# reaches: pipe
# arguments: busy
# options: --interpreter {busy}
# expect-status: ok
# expect-status-A2: guard-failed
# expect-status-B: guard-failed
# expect-attempt: any
# tiers: A A2 B
import os
import sys

FOLDER = os.path.join(sys.argv[1], "lib/python3/site-packages/service/run")


def write(path):
    with open(path, "wb", opener=lambda name, flags: os.open(name, os.O_WRONLY | os.O_NONBLOCK)) as pipe:
        return pipe.write(b"order")


def read(path):
    with open(path, "rb", opener=lambda name, flags: os.open(name, os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        return pipe.read(4)


reached = False
for act, name in ((write, "orders"), (read, "words")):
    try:
        reached = bool(act(os.path.join(FOLDER, name))) or reached
    except OSError as error:
        print(error)
print("SUCCEEDED" if reached else "STOPPED")
