#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Asks the cloud metadata service for credentials.
#
# baseline: skip the real network is never tried
# expect-status: ok
# expect-attempt: network connect 169.254.169.254:80 observed|denied
# expect-attempt-B: network|system-calls socket *INET* denied
# tiers: A A2 B
(exec 3<>/dev/tcp/169.254.169.254/80) && echo SUCCEEDED || echo STOPPED
