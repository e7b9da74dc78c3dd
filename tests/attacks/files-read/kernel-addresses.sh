#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads where the kernel keeps its functions, which keys it holds and what its timers do.
#
# baseline: may the files are not everywhere
# expect-status: ok
# expect-attempt: any
# tiers: A A2
for path in /proc/kallsyms /proc/keys /proc/timer_list /proc/modules; do
  if grep -q . "$path" 2>/dev/null; then
    echo "$path"
    echo SUCCEEDED
    exit
  fi
done
echo STOPPED
