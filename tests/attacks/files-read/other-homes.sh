#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Looks who else has a home, and what is mounted.
#
# baseline: may there can be nobody
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
ls /home /root /media /mnt /srv 2>/dev/null | grep -v ':$' | grep . && echo SUCCEEDED || echo STOPPED
