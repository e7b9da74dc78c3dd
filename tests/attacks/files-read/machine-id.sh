#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the identity that the system was given when it was installed.
#
# baseline: may containers have none
# expect-status: ok
# expect-attempt: filesystem open /etc/machine-id hidden|denied
# tiers: A A2
grep . /etc/machine-id /var/lib/dbus/machine-id && echo SUCCEEDED || echo STOPPED
