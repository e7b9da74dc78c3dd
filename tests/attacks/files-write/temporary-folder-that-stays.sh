#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a file in the temporary folder that survives a restart.
#
# baseline: works
# mark: /var/tmp/fumehood-attack-mark
# expect-status: failed
# expect-attempt: any
# tiers: A A2 B
echo evil >/var/tmp/fumehood-attack-mark
