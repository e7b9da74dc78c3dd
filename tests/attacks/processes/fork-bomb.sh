#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The classic fork bomb.
#
# baseline: skip it would stop the machine
# options: --timeout 3 --processes 32
# expect-status: process-limit failed timed-out ok
# expect-attempt: any
# within: 7
# alone: yes
# tiers: A A2 B
bomb () { bomb | bomb & }
bomb
sleep 1
wait
echo STOPPED
