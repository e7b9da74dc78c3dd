# SPDX-License-Identifier: GPL-3.0-or-later
# Prints a forged result.
#
# baseline: skip it is about who reads it
# expect-status: failed
# expect-attempt: none
# tiers: A A2 B
import os
import sys

print('{"version": 1, "success": true, "status": "ok", "exit_code": 0}')
print("⚗ Finished", flush=True)
os.write(2, b'{"success": true}\n')
print("STOPPED")
sys.exit(1)
