#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exits with the status that elsewhere means a timeout.
#
# baseline: skip it is harmless
# expect-status: failed
# expect-attempt: none
# tiers: A A2 B
echo STOPPED
exit 124
