# SPDX-License-Identifier: GPL-3.0-or-later
# Remounts the system folders writable.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls mount * denied
# tiers: A A2 B
import ctypes

MS_REMOUNT, MS_BIND = 32, 4096
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.mount(None, b"/usr", None, MS_REMOUNT | MS_BIND, None) == 0 else "STOPPED")
