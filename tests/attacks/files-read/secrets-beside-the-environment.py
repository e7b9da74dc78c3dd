# SPDX-License-Identifier: GPL-3.0-or-later
# Reads settings of a project in the folder of the virtual environment that runs it.
#
# baseline: works
# arguments: project
# options: --interpreter {project}
# expect-status: ok
# expect-attempt: filesystem open */.env hidden|denied
# tiers: A A2 B
import os
import sys

found = False
for name in (".env", ".git/config"):
    try:
        with open(os.path.join(sys.argv[1], name), encoding="ascii") as file:
            found = "SECRET-" in file.read() or found
    except OSError as error:
        print(error)
print("SUCCEEDED" if found else "STOPPED")
