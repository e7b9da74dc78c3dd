/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "order.h"
#include "run-status.h"

/* A runner that builds a sandbox before there is a program for it: its interpreter waits inside.
 * Used for one run, or dropped: of a forked sandbox, until it has served that run. Others only read
 * `end` and `attempts`. */
typedef struct
{
  FhRunner
      *runner;    /* NULL once it has failed: the run then starts another one, which reports why */
  GBytes *policy; /* its frame */
  GBytes *guards; /* NULL until the sandbox is built, or built anew for the next run */
  /* How the interpreter of earlier cells ended while it waited for the next: a sentence for people,
   * interned. NULL if it is still there, or nobody knows. */
  const char *end;
  GPtrArray *attempts;     /* (element-type FhAttempt): what it had left running tried; nullable */
  gboolean is_taken_early; /* before the sandbox is built: then its guards are told to the run */
} FhPreparedRunner;

/* Starts one for the policy of this order on this computer. NULL if its language cannot wait, or
 * nothing can be started. */
FhPreparedRunner *fh_prepared_runner_start (FhOrder *order);
/* One with this policy that builds its sandbox elsewhere, or has served a run and waits for the
 * next. Takes ownership of `runner`, whose listener it becomes. */
FhPreparedRunner *fh_prepared_runner_new (FhRunner *runner, GBytes *policy);
void fh_prepared_runner_free (FhPreparedRunner *self);
/* The sentence of `end` for an end that was learned elsewhere. */
const char *fh_prepared_runner_tell_end (const FhRunOutcome *outcome);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPreparedRunner, fh_prepared_runner_free)

/* The runner, if it was prepared for just this policy (its frame; nullable) and is ready; else
 * NULL, as if `self` is NULL. `guards` is set to the payload of its FH_FRAME_GUARDS, or NULL if a
 * used one, or one in a container, has yet to send it. (transfer full) */
FhRunner *fh_prepared_runner_steal (FhPreparedRunner *self, GBytes *policy, GBytes **guards);
