/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "prepared-runner.h"

#include <stdlib.h>

#include "policy-builder.h"
#include "runner-locator.h"
#include "wire-translation.h"

/* `process` is NULL once it has failed: the run then starts another one, which reports why. */
struct _FhPreparedRunner
{
  FhRunnerProcess *process;
  GCancellable *sending;   /* of the command */
  GBytes *policy;          /* its frame */
  GBytes *guards;          /* NULL until the sandbox is built, or built anew for the next run */
  const char *end;         /* why the interpreter of earlier cells is gone; nullable */
  GPtrArray *attempts;     /* (element-type FhAttempt): what it had left running tried; nullable */
  gboolean is_taken_early; /* before the sandbox is built: then its guards are told to the run */
};

static void
drop (FhPreparedRunner *self)
{
  g_cancellable_cancel (self->sending);
  if (self->process != NULL)
    fh_runner_process_close (self->process);
  g_clear_object (&self->process);
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

static gboolean
start (FhPreparedRunner *self, FhNativeOrder *order)
{
  g_autofree char *runner = fh_runner_locate ();
  g_autoptr (FhRunnerCommand) command = NULL;
  g_autoptr (FhPortalFolder) folder = NULL;

  command = fh_native_order_make_command (order, NULL, &folder, NULL);
  if (command == NULL)
    return FALSE;
  self->process = fh_runner_process_start (runner,
                                           order->cpu,
                                           g_steal_pointer (&folder),
                                           &listener,
                                           self,
                                           NULL);
  if (self->process == NULL)
    return FALSE;
  fh_runner_command_send (g_steal_pointer (&command), self->process, self->sending);
  return TRUE;
}

FhPreparedRunner *
fh_prepared_runner_new (FhNativeOrder *order)
{
  g_autoptr (FhPreparedRunner) self = NULL;

  g_return_val_if_fail (order != NULL, NULL);

  if (g_bytes_get_size (order->messages) == 0)
    return NULL;
  self = g_new0 (FhPreparedRunner, 1);
  self->sending = g_cancellable_new ();
  self->policy = fh_policy_to_frame (order->policy, NULL);
  self->is_taken_early = order->policy->kind == FH_POLICY_FORKED;
  return self->policy != NULL && start (self, order) ? g_steal_pointer (&self) : NULL;
}

FhPreparedRunner *
fh_prepared_runner_new_used (FhRunnerProcess *process, GBytes *policy)
{
  FhPreparedRunner *self;

  g_return_val_if_fail (process != NULL && policy != NULL, NULL);

  self = g_new0 (FhPreparedRunner, 1);
  self->process = process;
  self->policy = g_bytes_ref (policy);
  self->is_taken_early = TRUE;
  fh_runner_process_set_listener (process, &listener, self);
  return self;
}

FhPreparedRunner *
fh_prepared_runner_new_client (const char *const *argv,
                               const char *const *environment,
                               GBytes *policy)
{
  g_autoptr (FhPreparedRunner) self = NULL;

  g_return_val_if_fail (argv != NULL && policy != NULL, NULL);

  self = g_new0 (FhPreparedRunner, 1);
  self->policy = g_bytes_ref (policy);
  self->is_taken_early = TRUE;
  self->process = fh_runner_process_start_client (argv, environment, &listener, self, NULL);
  if (self->process == NULL)
    return NULL;
  fh_runner_process_send (self->process, policy);
  fh_runner_process_send_frame (self->process, FH_FRAME_PREPARE, NULL);
  return g_steal_pointer (&self);
}

void
fh_prepared_runner_free (FhPreparedRunner *self)
{
  if (self == NULL)
    return;
  drop (self);
  g_clear_object (&self->sending);
  g_clear_pointer (&self->policy, g_bytes_unref);
  g_clear_pointer (&self->guards, g_bytes_unref);
  g_clear_pointer (&self->attempts, g_ptr_array_unref);
  g_free (self);
}

const char *
fh_prepared_runner_get_end (FhPreparedRunner *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->end;
}

GPtrArray *
fh_prepared_runner_get_attempts (FhPreparedRunner *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->attempts;
}

FhRunnerProcess *
fh_prepared_runner_steal (FhPreparedRunner *self, GBytes *policy, GBytes **guards)
{
  g_return_val_if_fail (self != NULL && guards != NULL, NULL);

  /* Once it tells attempts, the interpreter is at its end. */
  if ((self->guards == NULL && !self->is_taken_early) || self->process == NULL ||
      self->attempts != NULL || policy == NULL || !g_bytes_equal (self->policy, policy))
    return NULL;
  *guards = g_steal_pointer (&self->guards);
  return g_steal_pointer (&self->process);
}
