#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ends with the number that stands for a timeout elsewhere.
#
# baseline: skip it harms nobody
# expect-status: failed
# expect-attempt: none
# tiers: A A2 B
echo STOPPED
exit 124
