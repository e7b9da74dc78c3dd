/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process tree: everybody who descends from one process, for sandboxes that have no pid
 * namespace, where nobody else kills them all at once. As that process takes in all orphans,
 * prctl (2), PR_SET_CHILD_SUBREAPER, nobody gets out of its tree.
 *
 * No memory is allocated, so that init may use it as well.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Kills all that descend from `top` but `spared`, which may be 0. First they are stopped, so that
 * those who breed meet the process limit and have to stay as they are. `proc`: /proc, opened for
 * reading. False when somebody is still left after two seconds. */
bool process_tree_kill (int proc, pid_t top, pid_t spared);
/* How many descend from `top`; those that are dead already do not count. */
size_t process_tree_count (int proc, pid_t top);
/* How many processes and threads the user has. */
size_t process_tree_tasks_of (int proc, uid_t user);
