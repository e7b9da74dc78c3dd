# SPDX-License-Identifier: GPL-3.0-or-later
# Executes a program of the user's.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
import subprocess
import sys

try:
    subprocess.run([sys.argv[1] + "/bin/tool"], check=True)
    print("SUCCEEDED")
except (OSError, subprocess.CalledProcessError) as error:
    print(error)
    print("STOPPED")
