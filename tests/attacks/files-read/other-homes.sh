#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists other homes and mounts.
#
# baseline: may there may be no other user
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
ls /home /root /media /mnt /srv 2>/dev/null | grep -v ':$' | grep . && echo SUCCEEDED || echo STOPPED
