/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translates paths for sandboxes without a root of their own: a policy speaks of /workspace, /tmp
 * and the targets of its binds, and the program must be given the real ones. Only whole strings,
 * and values of variables, that are such a path or below it are changed.
 *
 * Files in the workspace are named relative to it, as it is the working folder: the program's
 * messages then say "main.py" and not where the user's files are. Only variables and the program
 * itself need the full path.
 */
#pragma once

#include "plan-data.h"

/* Sets argv and env of the plan. Returns 0 or a negative errno. */
int inside_paths_plan (struct plan *plan);
/* Replaces messages for the guest, wire-guest.h, if the plan needs that; allocated by malloc.
 * Returns 0 or a negative errno. */
int inside_paths_translate (const struct plan *plan, uint8_t **messages, size_t *size);
/* Frees what inside_paths_plan allocated. */
void inside_paths_clear (struct plan *plan);
