/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths inside, for sandboxes that have no root folder of their own: a policy speaks of /workspace,
 * /tmp and the targets of its binds, and what the program is given has to name where those really
 * are. Only whole strings, and the values of variables, that are such a path or one below it are
 * changed.
 *
 * What lies in the workspace is named relative to it, as it is the working folder: messages of the
 * program then say "main.py" and not where the user's files are. Only variables and the program
 * itself need the whole path.
 */
#pragma once

#include "plan.h"

/* Sets argv, env and guest_message of the plan. Returns 0 or a negative errno. */
int inside_paths_plan (struct plan *plan);
/* Frees what that has allocated. */
void inside_paths_clear (struct plan *plan);
