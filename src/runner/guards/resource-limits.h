/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits that the kernel enforces: per process (setrlimit(2), hard equal to soft) and per namespace
 * (files in /proc/sys that the namespace's owner may write).
 */
#pragma once

#include "setup-state.h"

/* No user namespace can be made inside, and so none of the others either; user_namespaces(7). */
int limits_forbid_namespaces (struct setup *setup);
/* A limit for the pid namespace (Linux 6.14). The proper one is RLIMIT_NPROC, which does not apply
 * to root. */
int limits_set_pid_max (struct setup *setup);
/* inotify(7) is counted per user: leave some for the desktop; and its queues take memory. */
int limits_set_watches (struct setup *setup);
/* Limits what TCP may grow to; the guest cannot change the size of other buffers. */
int limits_set_socket_buffers (struct setup *setup);
/* If a program on the host gets the cores anyway, they contain no memory, core(5). */
int limits_forbid_core_dumps (struct setup *setup);
int limits_set_rlimits (struct setup *setup);
/* Fails if a crash would still start the host's program for cores: the runner may not set the limit
 * that prevents it, or cores go to a socket (Linux 6.17), which no limit prevents. */
int limits_check_core_handler (struct setup *setup);
/* In the guest's process: limits that init must not have, because it still has to send descriptors
 * while the user's other programs have many in flight. */
int limits_enter (const struct setup *setup);

/* Computes all of the above from the policy. */
void limits_plan (struct plan *plan);
