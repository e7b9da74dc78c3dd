#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads what identifies the machine: its board, its firmware, its disks.
#
# baseline: may machines differ in what they tell
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
cat /sys/class/dmi/id/* /sys/firmware/devicetree/base/model /sys/class/net/*/address 2>/dev/null | grep . \
  && echo SUCCEEDED || echo STOPPED
