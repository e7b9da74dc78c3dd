/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "order.h"
#include "run-status.h"

G_BEGIN_DECLS

/* A runner that builds a sandbox before there is a program for it: its interpreter waits inside.
 * Used for one run, or dropped: of a forked sandbox, until it has served that run. */
typedef struct _FhPreparedRunner FhPreparedRunner;

/* Starts one for the policy of this order on this computer. NULL if its language cannot wait, or
 * nothing can be started. */
FhPreparedRunner *fh_prepared_runner_start (FhOrder *order);
/* One with this policy that builds its sandbox elsewhere, or has served a run and waits for the
 * next. Takes ownership of `runner`, whose listener it becomes. */
FhPreparedRunner *fh_prepared_runner_new (FhRunner *runner, GBytes *policy);
void fh_prepared_runner_free (FhPreparedRunner *self);
/* How the interpreter of earlier cells ended while it waited for the next: a sentence for people,
 * interned. NULL if it is still there, or nobody knows. */
const char *fh_prepared_runner_get_end (FhPreparedRunner *self);
/* The same for an end that was learned elsewhere. */
const char *fh_prepared_runner_tell_end (const FhRunOutcome *outcome);
/* Returns the attempts (element-type FhAttempt) of what the interpreter had left running since its
 * last cell, which the runner tells when the interpreter ends. Borrowed; NULL if there is none. */
GPtrArray *fh_prepared_runner_get_attempts (FhPreparedRunner *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPreparedRunner, fh_prepared_runner_free)

/* The runner, if it was prepared for just this policy (its frame; nullable) and is ready; else
 * NULL. `guards` is set to the payload of its FH_FRAME_GUARDS, or NULL if a used one, or one in a
 * container, has yet to send it. (transfer full) */
FhRunner *fh_prepared_runner_steal (FhPreparedRunner *self, GBytes *policy, GBytes **guards);

G_END_DECLS
