/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fake-runner.c does as a forked sandbox: it says how many runs it has served. Asked for a
 * single run, it says that that was cold. */
#pragma once

#include <stdbool.h>

/* False for a name that is none of its. */
bool fork_as (const char *name);
