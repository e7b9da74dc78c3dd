#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Leaves folders of mode 0, so that they cannot be removed.
#
# baseline: skip it is about what is left
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
mkdir -p a/b/c && echo x >a/b/c/d && chmod 000 a/b/c a/b a
mkdir -p "$TMPDIR/a/b" && chmod 000 "$TMPDIR/a"
chmod 000 .
echo STOPPED
