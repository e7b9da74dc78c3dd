#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Connects with bash's own redirection, without a network program.
#
# baseline: works
# reaches: tcp
# arguments: tcp
# expect-status: ok
# expect-attempt: network connect 127.0.0.1:* observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
(exec 3<>"/dev/tcp/127.0.0.1/$1") && echo SUCCEEDED || echo STOPPED
