#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Puts a service where the user's service manager finds it.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
mkdir -p "$1/.config/systemd/user/default.target.wants" &&
  printf '[Service]\nExecStart=/bin/true\n' >"$1/.config/systemd/user/evil.service" &&
  echo SUCCEEDED || echo STOPPED
