#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Changes a hook of a repository, which git runs at the next commit.
#
# baseline: works
# arguments: home
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
{ echo 'evil' >>"$1/project/.git/hooks/pre-commit"; } && echo SUCCEEDED || echo STOPPED
