#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Looks for the addresses of the session: its bus, its agent, its display.
#
# baseline: works
# expect-status: ok
# expect-attempt: none
# tiers: A A2 B
env | grep -E '^(DBUS_|SSH_|DISPLAY|WAYLAND|XAUTH|XDG_RUNTIME|XDG_SESSION|XDG_STATE|XDG_CONFIG|AWS_|OPENAI_|LD_|PYTHONPATH=/home)' |
  cut -d= -f1 | grep . && echo SUCCEEDED || echo STOPPED
