#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Uses up all inodes of a file system, with folders.
#
# baseline: skip it would harm everybody on the same file system
# options: --disk-limit 16M --timeout 120
# expect-status: failed disk-limit
# expect-attempt: any
# needs: disk
# tiers: A A2
for i in $(seq 100); do mkdir -p "$i" && (cd "$i" && mkdir $(seq 3000)) 2>/dev/null || { echo STOPPED; exit 1; }; done
echo SUCCEEDED
