#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Searches the folders of all users for private keys.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
for place in "$1" /home /root /tmp /var/tmp /mnt /media; do
  if find "$place" -maxdepth 4 -name 'id_*' 2>/dev/null | grep .; then
    echo SUCCEEDED
    exit
  fi
done
echo STOPPED
