/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process tree: all descendants of one process, for sandboxes without a pid namespace, where
 * the kernel does not kill them together. That process adopts orphans, prctl (2),
 * PR_SET_CHILD_SUBREAPER, so none can leave its tree.
 *
 * No memory is allocated, so that init may use it as well.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Kills all descendants of `top` except `spared`, which may be 0. They are stopped first, so that
 * processes that keep forking meet the process limit. `proc`: /proc, opened for reading. False if
 * some are left after two seconds. */
bool process_tree_kill (int proc, pid_t top, pid_t spared);
/* Kills all descendants of this process, which has to adopt orphans, and reaps them. True once the
 * kernel says that none are left: wait (2), ECHILD. False if some are left after two seconds.
 * Nothing else in this process can wait for them afterwards. */
bool process_tree_end (int proc);
/* Counts the processes and threads of `n` users, from `first` on. */
size_t process_tree_tasks_of (int proc, uid_t first, uid_t n);
