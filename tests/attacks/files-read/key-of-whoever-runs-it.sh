#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the private key below the home that the environment names.
#
# baseline: works
# expect-status: ok
# expect-attempt: filesystem open */.ssh/id_rsa hidden|denied
# tiers: A A2 B
cat ~/.ssh/id_rsa && echo SUCCEEDED || echo STOPPED
