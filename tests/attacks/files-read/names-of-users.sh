#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the names of the people who use the machine.
#
# baseline: may the user can have no entry
# arguments: user
# expect-status: ok
# expect-attempt: any
# tiers: A A2
grep "$1" /etc/passwd && echo SUCCEEDED || echo STOPPED
