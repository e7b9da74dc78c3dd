/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kills all of a sandbox. With a pid namespace that is one signal to its first process. Without,
 * init is asked to do it if it can (see landlock_scope); otherwise all descendants of this process
 * are found and killed. Orphans are adopted by init or, if that is dead, by this process. The first
 * process of a container does it with one signal to all.
 */
#pragma once

#include "spawn.h"

/* Returns at once, or after two seconds at most. The sandbox is dead when init has been reaped and
 * sandbox_reap has returned true. */
void sandbox_kill (const struct spawned *sandbox);
/* The same, if that has not helped. */
void sandbox_kill_anyhow (const struct spawned *sandbox);
/* After init has been reaped: closes what only killing needs; true if no process is left. */
bool sandbox_reap (struct spawned *sandbox);
