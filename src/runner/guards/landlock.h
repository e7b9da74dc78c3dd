/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Landlock: the second guard over files, which holds even if something is wrong with the mounts;
 * landlock(7). It also blocks sockets and signals outside.
 */
#pragma once

#include "landlock-abi.h"
#include "setup-state.h"

/* The kernel's ABI, or a lower one for tests; negative with errno without Landlock. */
int landlock_best_abi (const struct plan *plan);

/* Sets setup->landlock_abi, to 0 without Landlock, which is not an error here. */
int landlock_apply (struct setup *setup);

/* For tier B, where Landlock is the main guard: only named paths can be opened, and no TCP. Creates
 * the rules without applying them, because init needs /proc. -ENOSYS if this kernel's Landlock is
 * too old. */
int landlock_prepare (struct setup *setup);
/* Puts init into its own scope: its signals then only reach processes that come after it, and
 * theirs do not reach init. Sets setup->has_scope; does nothing before ABI 6. */
int landlock_scope (struct setup *setup);
/* The same in a container, where there are no rules for files: the guest gets a second scope, so
 * that its signals do not reach init either. -ENOSYS before ABI 6. */
int landlock_scope_inside (struct setup *setup);
/* The calling process can from now on read only its mount list and change nothing; paths can still
 * be looked up. 0 without Landlock; a negative errno on failure. */
int landlock_look_only (void);
/* In the guest's process: applies the rules of landlock_prepare. */
int landlock_enter (const struct setup *setup);
