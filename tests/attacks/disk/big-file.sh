#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fills the disk with one file.
#
# baseline: skip it would fill the disk
# options: --disk-limit 16M
# expect-status: disk-limit failed
# expect-attempt: any
# tiers: A A2 B
dd if=/dev/zero of=big bs=1M count=2000 2>&1 && echo SUCCEEDED || echo STOPPED
exit 1
