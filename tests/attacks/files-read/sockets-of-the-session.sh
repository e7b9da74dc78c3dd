#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Lists the sockets of the user's session.
#
# baseline: may there can be no session
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
ls /run/user/* /tmp/.X11-unix /run/dbus 2>/dev/null | grep . && echo SUCCEEDED || echo STOPPED
