/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-conversation.h"

#include "wire-translation.h"

/* The runner measures time itself. These are for one that does not answer any more: how long it
 * may take beyond what it was told, and after the second Stop. */
#define SETUP_GRACE_MS 30000
#define TIME_GRACE_MS  10000
#define FORCE_GRACE_MS 3000

/* `feed` and `process` are set from a start until it is broken off or over. The listener may end
 * the conversation whenever it hears something: then `run` is NULL, and the last reference goes
 * with the callback that was in the middle of it. */
struct _FhRunConversation
{
  FhRun *run;
  FhRunLimits limits;
  FhRunFeed *feed;
  FhRunnerProcess *process;
  GSource *patience;
  const FhRunConversationListener *listener;
  gpointer user_data;
};

static void
stop_patience (FhRunConversation *self)
{
  if (self->patience == NULL)
    return;
  g_source_destroy (self->patience);
  g_clear_pointer (&self->patience, g_source_unref);
}

static gboolean
patience_ended_cb (gpointer user_data)
{
  FhRunConversation *self = user_data;

  g_clear_pointer (&self->patience, g_source_unref);
  if (self->process != NULL)
    fh_runner_process_kill (self->process);
  self->listener->silent (self->user_data);
  return G_SOURCE_REMOVE;
}

/* Its priority is below that of reading, so that a runner is not taken for dead while its words
 * wait to be read. */
void
fh_run_conversation_be_patient (FhRunConversation *self, guint64 ms)
{
  g_return_if_fail (self != NULL);

  stop_patience (self);
  self->patience = g_timeout_source_new ((guint) MIN (ms, G_MAXUINT));
  g_source_set_priority (self->patience, G_PRIORITY_LOW);
  g_source_set_callback (self->patience, patience_ended_cb, self, NULL);
  g_source_attach (self->patience, g_main_context_get_thread_default ());
}

static gboolean
hear_started (FhRunConversation *self, const struct fh_frame *frame)
{
  if (frame->size != 0)
    return FALSE;
  if (self->limits.wall_ms != 0)
    fh_run_conversation_be_patient (self, self->limits.wall_ms + TIME_GRACE_MS);
  else
    stop_patience (self);
  fh_run_started (self->run);
  return TRUE;
}

static gboolean
hear_finished (FhRunConversation *self, const struct fh_frame *frame)
{
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  outcome = fh_outcome_from_wire (&finished, &self->limits);
  self->listener->finished (&outcome, self->user_data);
  free ((char *) finished.step);
  return TRUE;
}

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  FhRunConversation *self = g_rc_box_acquire (user_data);
  gboolean makes_sense;

  switch (frame->kind)
    {
    case FH_FRAME_STARTED:
      makes_sense = hear_started (self, frame);
      break;
    case FH_FRAME_FINISHED:
      makes_sense = hear_finished (self, frame);
      break;
    default:
      makes_sense = fh_run_feed_hear (self->feed, frame);
    }
  g_rc_box_release (self);
  return makes_sense;
}

static void
gone_cb (const char *why, gpointer user_data)
{
  FhRunConversation *self = g_rc_box_acquire (user_data);

  self->listener->gone (why, self->user_data);
  g_rc_box_release (self);
}

static const FhRunnerListener runner_listener = { frame_cb, gone_cb };

static void
stop_requested_cb (FhRun *run, gboolean by_force, FhRunConversation *self)
{
  if (self->process == NULL)
    {
      self->listener->stopped (self->user_data);
      return;
    }
  fh_runner_process_send_stop (self->process);
  if (by_force)
    fh_run_conversation_be_patient (self, FORCE_GRACE_MS);
}

FhRunConversation *
fh_run_conversation_new (FhRun *run,
                         const FhRunLimits *limits,
                         const FhRunConversationListener *listener,
                         gpointer user_data)
{
  FhRunConversation *self;

  g_return_val_if_fail (FH_IS_RUN (run), NULL);
  g_return_val_if_fail (limits != NULL && listener != NULL, NULL);

  self = g_rc_box_new0 (FhRunConversation);
  self->run = g_object_ref (run);
  self->limits = *limits;
  self->listener = listener;
  self->user_data = user_data;
  g_signal_connect (run, "stop-requested", G_CALLBACK (stop_requested_cb), self);
  return self;
}

FhRun *
fh_run_conversation_get_run (FhRunConversation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->run;
}

const FhRunLimits *
fh_run_conversation_get_limits (FhRunConversation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->limits;
}

FhRunnerProcess *
fh_run_conversation_get_process (FhRunConversation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->process;
}

/* TRUE when there is a process. */
static gboolean
take_start (FhRunConversation *self, FhRunFeed *feed, FhRunnerProcess *process)
{
  if (process == NULL)
    {
      fh_run_feed_free (feed);
      return FALSE;
    }
  self->feed = feed;
  self->process = process;
  fh_run_conversation_be_patient (self, SETUP_GRACE_MS);
  return TRUE;
}

gboolean
fh_run_conversation_start (FhRunConversation *self,
                           FhRunFeed *feed,
                           const char *path,
                           GBytes *standard_input,
                           GError **error)
{
  g_return_val_if_fail (self != NULL && self->process == NULL, FALSE);
  g_return_val_if_fail (feed != NULL, FALSE);

  return take_start (self,
                     feed,
                     fh_runner_process_start (path, standard_input, &runner_listener, self, error));
}

gboolean
fh_run_conversation_start_client (FhRunConversation *self,
                                  FhRunFeed *feed,
                                  const char *const *argv,
                                  const char *const *environment,
                                  GError **error)
{
  g_return_val_if_fail (self != NULL && self->process == NULL, FALSE);
  g_return_val_if_fail (feed != NULL, FALSE);

  return take_start (
      self,
      feed,
      fh_runner_process_start_client (argv, environment, &runner_listener, self, error));
}

void
fh_run_conversation_break_off (FhRunConversation *self)
{
  g_return_if_fail (self != NULL);

  stop_patience (self);
  if (self->process != NULL)
    fh_runner_process_close (self->process);
  g_clear_object (&self->process);
  g_clear_pointer (&self->feed, fh_run_feed_free);
}

void
fh_run_conversation_hang_up (FhRunConversation *self)
{
  g_return_if_fail (self != NULL);

  if (self->feed != NULL)
    fh_run_feed_end (self->feed);
  fh_run_conversation_break_off (self);
}

void
fh_run_conversation_end (FhRunConversation *self, const FhRunOutcome *outcome)
{
  g_autoptr (FhRun) run = NULL;

  g_return_if_fail (self != NULL);

  /* Whoever hears of the end finds nothing left of the conversation. */
  run = g_object_ref (self->run);
  fh_run_conversation_hang_up (self);
  fh_run_conversation_free (self);
  fh_run_finish (run, outcome);
}

void
fh_run_conversation_measure (FhRunConversation *self, FhRunOutcome *outcome)
{
  FhRunUsage usage;
  gint64 started_at;

  g_return_if_fail (self != NULL && outcome != NULL);

  usage = fh_run_get_usage (self->run);
  started_at = fh_run_get_started_at (self->run);
  if (started_at != 0)
    outcome->wall_us = (guint64) (g_get_monotonic_time () - started_at);
  outcome->cpu_user_us = usage.cpu_us;
  outcome->memory_peak = usage.memory_bytes;
  outcome->processes_peak = usage.processes;
}

void
fh_run_conversation_end_ourselves (FhRunConversation *self,
                                   FhRunStatus status,
                                   const char *step,
                                   const char *message)
{
  FhRunOutcome outcome = fh_outcome_of_ours (status, step, message);

  fh_run_conversation_measure (self, &outcome);
  fh_run_conversation_end (self, &outcome);
}

void
fh_run_conversation_free (FhRunConversation *self)
{
  if (self == NULL)
    return;
  fh_run_conversation_break_off (self);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  g_rc_box_release (self);
}
