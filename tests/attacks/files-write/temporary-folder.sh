#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves a file in the temporary folder that all users share.
#
# baseline: works
# mark: /tmp/fumehood-attack-mark
# expect-status: ok failed
# expect-attempt: any
# tiers: A A2 B
echo evil >/tmp/fumehood-attack-mark
