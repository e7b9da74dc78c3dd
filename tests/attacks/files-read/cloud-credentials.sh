#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reads the credentials of a cloud service.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: filesystem open */.aws/credentials hidden|denied
# tiers: A A2 B
grep secret_access_key "$1/.aws/credentials" && echo SUCCEEDED || echo STOPPED
