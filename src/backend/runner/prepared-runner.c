/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prepared-runner.h"

#include <stdlib.h>

#include "wire-translation.h"

static void
drop (FhPreparedRunner *self)
{
  if (self->runner != NULL)
    fh_runner_close (self->runner);
  g_clear_object (&self->runner);
}

const char *
fh_prepared_runner_tell_end (const FhRunOutcome *outcome)
{
  FhRunOutcome told = *outcome;
  g_autofree char *sentence = NULL;

  /* Limits are those of a cell, and none was running. */
  told.limit_ms = told.limit_bytes = 0;
  told.processes_ended = 0;
  sentence = fh_run_outcome_sentence (&told);
  /* There are few: the only numbers in them are exit codes and signals. */
  return g_intern_string (sentence);
}

static void
take_end (FhPreparedRunner *self, const struct fh_frame *frame)
{
  static const FhRunLimits none = { 0 };
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return;
  outcome = fh_outcome_from_wire (&finished, &none);
  self->end = fh_prepared_runner_tell_end (&outcome);
  free ((char *) finished.step);
}

/* Their counts are those at the end, which is when they are told. */
static gboolean
take_attempt (FhPreparedRunner *self, const struct fh_frame *frame)
{
  g_autoptr (FhAttempt) attempt = NULL;
  guint32 id;

  if (self->attempts == NULL)
    self->attempts = g_ptr_array_new_with_free_func (g_object_unref);
  attempt = fh_attempt_from_wire (frame->payload, frame->size, &id);
  if (attempt == NULL || id > self->attempts->len)
    return FALSE;
  if (id < self->attempts->len)
    g_set_object ((FhAttempt **) &self->attempts->pdata[id], attempt);
  else
    g_ptr_array_add (self->attempts, g_steal_pointer (&attempt));
  return TRUE;
}

/* Any frame but attempts and the first that tells the guards means that the runner has failed. */
static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  FhPreparedRunner *self = user_data;

  if (frame->kind == FH_FRAME_GUARDS && self->guards == NULL)
    {
      self->guards = g_bytes_new (frame->payload, frame->size);
      return TRUE;
    }
  if (frame->kind == FH_FRAME_ATTEMPT && take_attempt (self, frame))
    return TRUE;
  if (frame->kind == FH_FRAME_FINISHED)
    take_end (self, frame);
  drop (self);
  return TRUE;
}

static void
gone_cb (const char *why, gpointer user_data)
{
  drop (user_data);
}

static const FhRunnerListener listener = { frame_cb, gone_cb };

FhPreparedRunner *
fh_prepared_runner_new (FhRunner *runner, GBytes *policy)
{
  FhPreparedRunner *self = g_new0 (FhPreparedRunner, 1);

  self->runner = runner;
  self->policy = g_bytes_ref (policy);
  self->is_taken_early = TRUE;
  fh_runner_listen (runner, &listener, self);
  return self;
}

FhPreparedRunner *
fh_prepared_runner_start (FhOrder *order)
{
  g_autoptr (GBytes) policy = g_bytes_ref (order->frame);
  FhPreparedRunner *self;
  FhRunner *runner;

  if (g_bytes_get_size (order->messages) == 0)
    return NULL;
  order->is_ahead = TRUE;
  runner = fh_order_start (order, NULL);
  if (runner == NULL)
    return NULL;
  self = fh_prepared_runner_new (runner, policy);
  self->is_taken_early = order->policy->kind == FH_POLICY_FORKED;
  return self;
}

void
fh_prepared_runner_free (FhPreparedRunner *self)
{
  if (self == NULL)
    return;
  drop (self);
  g_bytes_unref (self->policy);
  g_clear_pointer (&self->guards, g_bytes_unref);
  g_clear_pointer (&self->attempts, g_ptr_array_unref);
  g_free (self);
}

FhRunner *
fh_prepared_runner_steal (FhPreparedRunner *self, GBytes *policy, GBytes **guards)
{
  /* Once it tells attempts, the interpreter is at its end. */
  if (self == NULL || self->runner == NULL || (self->guards == NULL && !self->is_taken_early) ||
      self->attempts != NULL || policy == NULL || !g_bytes_equal (self->policy, policy))
    return NULL;
  *guards = g_steal_pointer (&self->guards);
  return g_steal_pointer (&self->runner);
}
