/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Landlock: the second guard over files, which holds even if something is wrong with the mounts;
 * landlock(7). It also keeps the guest from sockets and signals outside.
 */
#pragma once

#include "setup.h"

/* The first ABI with scopes: below it, nothing keeps the guest's signals inside. */
#define LANDLOCK_SCOPE_ABI 6

/* Sets setup->landlock_abi, to 0 when this kernel has no Landlock, which is no fault here. */
int landlock_apply (struct setup *setup);

/* Where there are no mounts to hide anything, Landlock is the main guard: only what is named can be
 * opened, no TCP at all. Makes the rules, and puts nobody under them: init needs /proc. -ENOSYS
 * when this kernel's Landlock is not good enough for that. */
int landlock_prepare (struct setup *setup);
/* Puts init under a scope of its own: from now on its signals reach only those who come after it,
 * and theirs do not even reach init. Sets setup->has_scope; nothing to do before ABI 6. */
int landlock_scope (struct setup *setup);
/* The same in a container, where there are no rules for files: the guest itself is put under a
 * second scope, so that its signals do not reach init either. -ENOSYS before ABI 6. */
int landlock_scope_inside (struct setup *setup);
/* In the process that becomes the guest: under the rules that landlock_prepare has made. */
int landlock_enter (const struct setup *setup);
