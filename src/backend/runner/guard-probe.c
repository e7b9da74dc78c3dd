/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-probe.h"

#include "main-source.h"
#include "run-error.h"
#include "wire-translation.h"

typedef struct
{
  FhRunner *runner;
  GPtrArray *guards;
  GSource *cancelled; /* nullable */
  GSource *deadline;  /* nullable */
  FhGuardProbeFunc answered;
  gpointer user_data;
} Probe;

static void
answer (Probe *self, const FhRunOutcome *outcome, const GError *error)
{
  fh_source_clear (&self->cancelled);
  fh_source_clear (&self->deadline);
  fh_runner_close (self->runner);
  self->answered (self->runner, self->guards, outcome, error, self->user_data);
  g_object_unref (self->runner);
  g_ptr_array_unref (self->guards);
  g_free (self);
}

static gboolean
handle_guards (Probe *self, const struct fh_frame *frame)
{
  GPtrArray *guards = fh_guard_states_from_wire (frame->payload, frame->size, NULL);

  if (guards == NULL)
    return FALSE;
  g_ptr_array_unref (self->guards);
  self->guards = guards;
  return TRUE;
}

static gboolean
handle_finished (Probe *self, const struct fh_frame *frame)
{
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  outcome = fh_outcome_from_wire (&finished, &FH_RUN_LIMITS_DEFAULT);
  answer (self, &outcome, NULL);
  free ((char *) finished.step);
  return TRUE;
}

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  switch (frame->kind)
    {
    case FH_FRAME_GUARDS:
      return handle_guards (user_data, frame);
    case FH_FRAME_USAGE:
      return TRUE;
    case FH_FRAME_FINISHED:
      return handle_finished (user_data, frame);
    default:
      return FALSE;
    }
}

static void
fail (Probe *self, GQuark domain, int code, const char *why)
{
  g_autoptr (GError) error = g_error_new_literal (domain, code, why);

  answer (self, NULL, error);
}

static void
gone_cb (const char *why, gpointer user_data)
{
  fail (user_data, FH_RUN_ERROR, FH_RUN_ERROR_UNAVAILABLE, why);
}

static gboolean
deadline_cb (gpointer user_data)
{
  fail (user_data, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "");
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  fail (user_data, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
  return G_SOURCE_REMOVE;
}

void
fh_guard_probe (FhRunner *runner,
                guint timeout_ms,
                GCancellable *cancellable,
                FhGuardProbeFunc answered,
                gpointer user_data)
{
  static const FhRunnerListener listener = { frame_cb, gone_cb };
  Probe *self = g_new0 (Probe, 1);

  self->runner = runner;
  self->guards = g_ptr_array_new_with_free_func (g_object_unref);
  self->answered = answered;
  self->user_data = user_data;
  fh_runner_listen (runner, &listener, self);
  if (timeout_ms > 0)
    self->deadline = fh_source_attach (g_timeout_source_new (timeout_ms), deadline_cb, self, NULL);
  if (cancellable != NULL)
    self->cancelled = fh_source_attach (g_cancellable_source_new (cancellable),
                                        G_SOURCE_FUNC (cancelled_cb),
                                        self,
                                        NULL);
}
