/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filter for shared namespaces, loaded besides seccomp-filter.h: refuses what the guest could
 * do to the user's other programs and files if Landlock alone protected them. It is not a guard
 * with a switch of its own: without it the file, network and process guards would not hold.
 */
#pragma once

#include "setup-state.h"

/* With namespaces it does little: see the user's network on older kernels. In a container, only
 * what the system call filter does, if that is switched off. */
int seccomp_shared_apply (struct setup *setup);
/* The part for all tiers: no huge pages, if the computer has reserved some. */
int seccomp_shared_keep_pages (const struct setup *setup);
/* In the guest's process. Without namespaces: no Landlock rules of its own, no messages that can
 * carry descriptors unless it has the user's network, and no signals unless a scope confines them.
 * In a container: no signals to its peers, and no set-user-ID files. Init itself must send such
 * messages and signals. */
int seccomp_shared_enter (const struct setup *setup);
