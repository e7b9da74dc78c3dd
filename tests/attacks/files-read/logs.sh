#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads logs and lists of packages.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
cat /var/lib/dpkg/status /var/lib/rpm/* /var/log/* 2>/dev/null | grep -q . && echo SUCCEEDED || echo STOPPED
