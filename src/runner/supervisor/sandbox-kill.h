/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Killing a sandbox: all of it. With a pid namespace that is one signal to its first process. Where
 * there is none, init is asked to do it if it can (see landlock_scope), and otherwise everybody who
 * descends from this process is looked for and killed; orphans end up with init and, should that be
 * dead, with this process. The first process of a container does it with one signal to everybody.
 */
#pragma once

#include "spawn.h"

/* Returns at once, or after two seconds at most. The sandbox is dead when init has been waited for
 * and sandbox_bury has returned true. */
void sandbox_kill (const struct spawned *sandbox);
/* The same when that has not helped. */
void sandbox_kill_anyhow (const struct spawned *sandbox);
/* After init has been waited for: closes what only killing needs; true when nobody is left. */
bool sandbox_bury (struct spawned *sandbox);
