#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts new files into the folders of the system.
#
# baseline: skip it takes root
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
for place in / /usr /usr/bin /usr/local/bin /usr/lib /etc /etc/cron.d /dev /proc /opt /var /run; do
  if { : >"$place/evil"; } 2>/dev/null; then
    echo "$place"
    echo SUCCEEDED
  fi
done
echo STOPPED
