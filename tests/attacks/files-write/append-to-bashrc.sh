#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Adds a line to .bashrc, which every shell of the user runs.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem create|write to */.bashrc hidden|denied
# tiers: A A2 B
{ echo 'evil' >>"$1/.bashrc"; } && echo SUCCEEDED || echo STOPPED
