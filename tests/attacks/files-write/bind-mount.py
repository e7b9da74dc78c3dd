# SPDX-License-Identifier: GPL-3.0-or-later
# Shows one folder under the name of another.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: system-calls mount * denied
# tiers: A A2 B
import ctypes

MS_BIND = 4096
libc = ctypes.CDLL(None, use_errno=True)
print("SUCCEEDED" if libc.mount(b"/tmp", b"/usr/bin", None, MS_BIND, None) == 0 else "STOPPED")
