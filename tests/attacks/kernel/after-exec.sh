#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Executes a new program, in the hope that the filter does not follow.
#
# baseline: may the kernel can forbid it
# expect-status: ok
# expect-attempt: system-calls unshare *USER* denied
# tiers: A A2 B
unshare --user true && echo SUCCEEDED || echo STOPPED
