#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints endlessly.
#
# baseline: skip it would fill the disk
# options: --output-limit 4M
# expect-status: output-limit
# expect-attempt: output write to standard * limited
# within: 5
# tiers: A A2 B
yes SUCCEED
