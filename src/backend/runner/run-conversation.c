/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-conversation.h"

#include "main-source.h"
#include "wire-guest.h"
#include "wire-policy.h"
#include "wire-translation.h"

/* The runner enforces time limits itself. After these it counts as unresponsive: for the setup,
 * beyond the time limit, and after the second Stop. */
#define SETUP_GRACE_MS 30000
#define TIME_GRACE_MS  10000
#define FORCE_GRACE_MS 3000

/* `ended` may free the conversation, so that callbacks hold a reference. */

static gboolean
deadline_cb (gpointer user_data)
{
  FhRunConversation *self = user_data;

  g_clear_pointer (&self->deadline, g_source_unref);
  if (self->runner != NULL)
    fh_runner_kill (self->runner);
  self->ended (FH_RUN_END_UNRESPONSIVE, NULL, NULL, self->user_data);
  return G_SOURCE_REMOVE;
}

/* Its priority is below that of reading: frames that arrived in time count. */
void
fh_run_conversation_set_deadline (FhRunConversation *self, guint64 ms)
{
  /* The runner may say that the program has started only after the second Stop. */
  if (self->is_forced)
    return;
  fh_source_clear (&self->deadline);
  if (ms == 0)
    return;
  self->deadline = g_timeout_source_new ((guint) MIN (ms, G_MAXUINT));
  g_source_set_priority (self->deadline, G_PRIORITY_LOW);
  fh_source_attach (self->deadline, deadline_cb, self, NULL);
}

/* Beyond the time limit, which the runner enforces. */
static void
expect_end (FhRunConversation *self)
{
  const guint64 wall_ms = self->limits.wall_ms;

  fh_run_conversation_set_deadline (self, wall_ms != 0 ? wall_ms + TIME_GRACE_MS : 0);
}

/* The time that a program waits for a person does not count either. The runner limits it. */
static void
waiting_cb (FhLiveInput *input, GParamSpec *pspec, FhRunConversation *self)
{
  if (fh_run_get_state (self->run) != FH_RUN_RUNNING)
    return;
  if (fh_live_input_is_waiting (input))
    fh_run_conversation_set_deadline (self, 0);
  else
    expect_end (self);
}

/* The time that a cell waits for a reply does not count. */
static void
call_cb (FhRun *run, GBytes *json, FhRunConversation *self)
{
  fh_run_conversation_set_deadline (self, 0);
}

static gboolean
handle_started (FhRunConversation *self, const struct fh_frame *frame)
{
  if (frame->size != 0)
    return FALSE;
  expect_end (self);
  fh_run_started (self->run);
  return TRUE;
}

static gboolean
handle_finished (FhRunConversation *self, const struct fh_frame *frame)
{
  struct fh_finished finished;
  FhRunOutcome outcome;

  if (!fh_finished_decode (&finished, frame->payload, frame->size))
    return FALSE;
  outcome = fh_outcome_from_wire (&finished, &self->limits);
  fh_run_events_refine_outcome (self->events, &outcome);
  self->ended (FH_RUN_END_FINISHED, &outcome, NULL, self->user_data);
  free ((char *) finished.step);
  return TRUE;
}

/* Never once the program has begun. */
static gboolean
handle_retired (FhRunConversation *self, const struct fh_frame *frame)
{
  if (frame->size != 0 || fh_run_get_started_at (self->run) != 0)
    return FALSE;
  self->ended (FH_RUN_END_RETIRED, NULL, NULL, self->user_data);
  return TRUE;
}

/* None of another run may count as this one's. The first one is to be seen at once: showing how the
 * run ended as well makes its frame of the display twice as long. A program that is called by
 * another one has no display, so nothing waits for it. */
static gboolean
handle_output (FhRunConversation *self, const struct fh_frame *frame)
{
  if (fh_run_get_started_at (self->run) == 0)
    return FALSE;
  if (self->runner != NULL && !self->has_output &&
      !fh_run_request_get_parts (fh_run_get_request (self->run))->is_called)
    fh_frame_stream_let_paint (self->runner->stream);
  self->has_output = TRUE;
  return fh_run_events_handle (self->events, frame);
}

static gboolean
frame_cb (const struct fh_frame *frame, gpointer user_data)
{
  FhRunConversation *self = g_rc_box_acquire (user_data);
  gboolean is_valid;

  switch (frame->kind)
    {
    case FH_FRAME_STARTED:
      is_valid = handle_started (self, frame);
      break;
    case FH_FRAME_FINISHED:
      is_valid = handle_finished (self, frame);
      break;
    case FH_FRAME_RETIRED:
      is_valid = handle_retired (self, frame);
      break;
    case FH_FRAME_OUTPUT:
      is_valid = handle_output (self, frame);
      break;
    default:
      is_valid = fh_run_events_handle (self->events, frame);
    }
  g_rc_box_release (self);
  return is_valid;
}

static void
gone_cb (const char *why, gpointer user_data)
{
  FhRunConversation *self = g_rc_box_acquire (user_data);

  self->ended (FH_RUN_END_GONE, NULL, why, self->user_data);
  g_rc_box_release (self);
}

static const FhRunnerListener runner_listener = { frame_cb, gone_cb };

static void
stop_requested_cb (FhRun *run, gboolean by_force, FhRunConversation *self)
{
  if (self->runner == NULL)
    {
      self->ended (FH_RUN_END_STOPPED, NULL, NULL, self->user_data);
      return;
    }
  fh_frame_stream_send_frame (self->runner->stream, FH_FRAME_STOP, NULL);
  if (by_force)
    {
      fh_run_conversation_set_deadline (self, FORCE_GRACE_MS);
      self->is_forced = TRUE;
    }
}

/* In pieces that fit into frames; see FH_GUEST_REPLY. */
static void
reply_cb (FhRun *run, guint number, GBytes *json, FhRunConversation *self)
{
  const gsize size = g_bytes_get_size (json);
  gsize at = 0;

  if (self->runner == NULL || size > FH_GUEST_ANSWER_MAX)
    return;
  do
    {
      const gsize n = MIN (size - at, FH_FILE_PIECE_MAX);
      const guint32 call = GUINT32_TO_LE (number);
      const guint8 has_more = at + n < size;
      g_autoptr (GByteArray) message = g_byte_array_new ();
      g_autoptr (GBytes) payload = NULL;

      g_byte_array_append (message, (const guint8[]){ FH_GUEST_REPLY }, 1);
      g_byte_array_append (message, (const guint8 *) &call, sizeof call);
      g_byte_array_append (message, &has_more, 1);
      g_byte_array_append (message, (const guint8 *) g_bytes_get_data (json, NULL) + at, (guint) n);
      payload = g_byte_array_free_to_bytes (g_steal_pointer (&message));
      fh_frame_stream_send_frame (self->runner->stream, FH_FRAME_REPLY, payload);
      at += n;
    }
  while (at < size);
  expect_end (self);
}

static void
sent_cb (FhLiveInput *input, GBytes *bytes, FhRunConversation *self)
{
  if (self->runner == NULL)
    return;
  if (bytes != NULL)
    fh_frame_stream_send_input (self->runner->stream, bytes);
  else
    fh_frame_stream_send_frame (self->runner->stream, FH_FRAME_INPUT, NULL);
}

FhRunConversation *
fh_run_conversation_new (FhRun *run, FhRunEndFunc ended, gpointer user_data)
{
  FhRunConversation *self = g_rc_box_new0 (FhRunConversation);

  self->run = g_object_ref (run);
  self->limits =
      fh_run_guards_limits (fh_run_request_get_parts (fh_run_get_request (run))->guards,
                            &fh_run_request_get_parts (fh_run_get_request (run))->limits);
  self->ended = ended;
  self->user_data = user_data;
  g_signal_connect (run, "stop-requested", G_CALLBACK (stop_requested_cb), self);
  g_signal_connect (run, "reply", G_CALLBACK (reply_cb), self);
  g_signal_connect (run, "call", G_CALLBACK (call_cb), self);
  if (fh_run_get_input (run) != NULL)
    {
      g_signal_connect (fh_run_get_input (run), "sent", G_CALLBACK (sent_cb), self);
      g_signal_connect (fh_run_get_input (run), "notify::waiting", G_CALLBACK (waiting_cb), self);
    }
  return self;
}

void
fh_run_conversation_take (FhRunConversation *self, FhOrder *order, FhRunner *runner, GBytes *guards)
{
  struct fh_frame frame = { .kind = FH_FRAME_GUARDS };
  gsize size;

  g_return_if_fail (self->runner == NULL);

  fh_runner_listen (runner, &runner_listener, self);
  self->order = fh_order_ref (order);
  self->events = fh_run_events_new (self->run, order);
  self->runner = runner;
  fh_run_conversation_set_deadline (self, SETUP_GRACE_MS);
  if (guards == NULL)
    return;
  frame.payload = g_bytes_get_data (guards, &size);
  frame.size = (uint32_t) size;
  fh_run_events_handle (self->events, &frame);
}

void
fh_run_conversation_reset (FhRunConversation *self)
{
  fh_source_clear (&self->deadline);
  if (self->runner != NULL)
    fh_runner_close (self->runner);
  g_clear_object (&self->runner);
  g_clear_pointer (&self->events, fh_run_events_free);
  g_clear_pointer (&self->order, fh_order_unref);
}

FhRunner *
fh_run_conversation_release (FhRunConversation *self)
{
  return g_steal_pointer (&self->runner);
}

void
fh_run_conversation_close (FhRunConversation *self)
{
  if (self->events != NULL)
    fh_run_events_end (self->events);
  fh_run_conversation_reset (self);
}

void
fh_run_conversation_end (FhRunConversation *self, const FhRunOutcome *outcome)
{
  g_autoptr (FhRun) run = g_object_ref (self->run);

  /* Listeners of the run find the conversation closed. */
  fh_run_conversation_close (self);
  fh_run_conversation_free (self);
  fh_run_finish (run, outcome);
}

void
fh_run_conversation_measure (FhRunConversation *self, FhRunOutcome *outcome)
{
  const FhRunUsage usage = fh_run_get_usage (self->run);
  const gint64 started_at = fh_run_get_started_at (self->run);

  if (started_at != 0)
    outcome->wall_us = (guint64) (g_get_monotonic_time () - started_at);
  outcome->cpu_user_us = usage.cpu_us;
  outcome->memory_peak = usage.memory_bytes;
  outcome->processes_peak = usage.processes;
}

void
fh_run_conversation_abort (FhRunConversation *self,
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
  fh_run_conversation_reset (self);
  g_signal_handlers_disconnect_by_data (self->run, self);
  if (fh_run_get_input (self->run) != NULL)
    g_signal_handlers_disconnect_by_data (fh_run_get_input (self->run), self);
  g_clear_object (&self->run);
  g_rc_box_release (self);
}
