#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sends a file with curl.
#
# baseline: may curl is not everywhere
# reaches: tcp
# arguments: tcp
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
echo secret >file
curl --silent --max-time 3 --data-binary @file "http://127.0.0.1:$1/" 2>&1
# 7: it could not connect; 127: it is not installed.
case $? in 7 | 127) echo STOPPED ;; *) echo SUCCEEDED ;; esac
