#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Deletes everything the user has.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
rm -rf "${1:?}"/.ssh "${1:?}"/Documents "${1:?}"/project
[ -e "$1/.ssh" ] && echo "it is still there"
rm "$1/.profile" && echo SUCCEEDED || echo STOPPED
