/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits that the kernel enforces by itself: per process (setrlimit(2), hard equal to soft) and
 * per namespace (files of /proc/sys that the owner of a namespace may write).
 */
#pragma once

#include "setup.h"

/* No user namespace can be made inside, and so no other one either; user_namespaces(7). */
int limits_forbid_namespaces (struct setup *setup);
/* A bound for the pid namespace (Linux 6.14). RLIMIT_NPROC is the limit proper, but does not count
 * for root. */
int limits_set_pid_max (struct setup *setup);
/* inotify(7) is counted per user: the guest must leave the desktop some. */
int limits_set_watches (struct setup *setup);
/* Only of what TCP may let grow; other buffers have a size that the guest cannot change. */
int limits_set_socket_buffers (struct setup *setup);
/* Where cores are piped to a program it is started on the host even with RLIMIT_CORE at 0; with
 * an empty filter there is no memory in what it gets. core(5) */
int limits_forbid_core_dumps (struct setup *setup);
int limits_set_rlimits (struct setup *setup);

/* Works out all of the above from the policy. */
void limits_plan (struct plan *plan);
