/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out which of the files that the program named and could not see the user has. This is done
 * only after everything in the sandbox is dead: before, the time of an answer could reveal
 * something about the host to a program with a clock.
 *
 * A child process does it, so a disk or server that does not answer blocks only that process; what
 * it has not found out in time stays unknown.
 */
#pragma once

#include "attempt-list.h"
#include "wire-policy.h"

/* Marks the files that exist, and those of which is certain that they do not: these were not
 * hidden. Moves to `list` those that were kept only in case they exist. Unknown ones stay as they
 * are, or count as dropped if they were kept only in case. Takes a fraction of a second at most. */
void attempt_outside_settle (struct attempt_list *list, const struct fh_policy *policy);
