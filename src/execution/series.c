/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "series.h"

#include <glib/gi18n-lib.h>

#include "run-error.h"
#include "series-private.h"
#include "signals.h"

/* How many steps can wait. */
#define MAX_WAITING 1000

enum
{
  PROP_STATE = 1,
  PROP_STEP,
  PROP_N_WAITING,
  N_PROPS
};

enum
{
  SIGNAL_STEP_CHANGED,
  SIGNAL_ASKING,
  SIGNAL_CALL,
  SIGNAL_DONE,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhSeries, fh_series, G_TYPE_OBJECT)

static gboolean
is_shown (FhStep *step)
{
  return step != NULL && !step->is_silent;
}

static guint
count_waiting (FhSeries *self)
{
  guint n = 0;

  for (GList *at = self->waiting.head; at != NULL; at = at->next)
    n += is_shown (at->data);
  return n;
}

static gboolean
is_over (FhSeries *self)
{
  return self->run == NULL && self->current == NULL && g_queue_is_empty (&self->waiting) &&
         (self->is_closed || (self->is_started && self->has_last));
}

/* The state is what all else is, and never kept apart from it: so it cannot say that nothing runs
 * while a step waits. */
static FhSeriesState
find_state (FhSeries *self)
{
  if (self->state == FH_SERIES_DONE || is_over (self))
    return FH_SERIES_DONE;
  if (self->is_asking)
    return FH_SERIES_ASKING;
  if (self->is_closed || (self->is_stopping && self->run != NULL))
    return FH_SERIES_STOPPING;
  if (self->is_started &&
      (!self->builder->stays_open || is_shown (self->current) || count_waiting (self) > 0))
    return FH_SERIES_RUNNING;
  return FH_SERIES_READY;
}

static void
notify (FhSeries *self, guint property)
{
  self->is_dirty = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
notify_changes (FhSeries *self)
{
  const guint n_waiting = count_waiting (self);
  FhSeriesState state;

  if (self->n_waiting != n_waiting)
    {
      self->n_waiting = n_waiting;
      notify (self, PROP_N_WAITING);
    }
  state = find_state (self);
  if (self->state != state)
    {
      self->state = state;
      notify (self, PROP_STATE);
    }
}

void
fh_series_tell (FhSeries *self, FhStep *step)
{
  self->is_dirty = TRUE;
  g_signal_emit (self, signals[SIGNAL_STEP_CHANGED], 0, step);
}

/* The steps that wait will not run. They stay in the queue until that can be told. */
static void
doom (FhSeries *self, gboolean silent_too)
{
  for (GList *at = self->waiting.head; at != NULL; at = at->next)
    {
      FhStep *step = at->data;

      step->is_doomed = step->is_doomed || silent_too || !step->is_silent;
    }
}

static FhStep *
pop_doomed (FhSeries *self)
{
  for (GList *at = self->waiting.head; at != NULL; at = at->next)
    {
      FhStep *step = at->data;

      if (!step->is_doomed)
        continue;
      g_queue_delete_link (&self->waiting, at);
      return step;
    }
  return NULL;
}

static void
drop_doomed (FhSeries *self)
{
  FhStep *step;

  while ((step = pop_doomed (self)) != NULL)
    {
      step->state = FH_STEP_NOT_RUN;
      self->n_left += is_shown (step) && step->n_blocks > 0;
      fh_series_tell (self, step);
      g_object_unref (step);
    }
}

static void
add_up (FhSeries *self, FhStep *step)
{
  FhRunResult *result = step->run != NULL ? fh_run_get_result (step->run) : NULL;
  const FhRunOutcome *outcome;

  if (step->n_blocks > 0)
    {
      self->n_blocks++;
      self->n_all_blocks = step->n_blocks;
      self->last_block = fh_step_get_number (step);
    }
  if (step->state == FH_STEP_REFUSED && self->after_failure == FH_AFTER_FAILURE_END)
    {
      g_free (self->refusal);
      self->refusal = g_strdup (step->note);
    }
  if (result == NULL)
    return;
  outcome = fh_run_result_get_parts (result)->outcome;
  self->has_run = TRUE;
  self->sums.wall_us += outcome->wall_us;
  self->sums.waited_us += outcome->waited_us;
  self->sums.cpu_user_us += outcome->cpu_user_us;
  self->sums.cpu_system_us += outcome->cpu_system_us;
  self->sums.memory_peak = MAX (self->sums.memory_peak, outcome->memory_peak);
  if (outcome->status != FH_RUN_STATUS_OK)
    g_set_object (&self->failed, result);
}

/* `note`: nullable. */
static void
end_step (FhSeries *self, FhStepState state, const char *note)
{
  g_autoptr (FhStep) step = g_steal_pointer (&self->current);

  step->state = state;
  if (note != NULL)
    fh_step_set_note (step, note);
  self->is_stopping = FALSE;
  if (is_shown (step))
    {
      add_up (self, step);
      if (fh_step_has_failed (step) && self->after_failure != FH_AFTER_FAILURE_GO_ON)
        doom (self, FALSE);
    }
  fh_series_tell (self, step);
}

/* Unless the executor has begun something else meanwhile. */
static void
leave_executor (FhSeries *self, FhRun *run)
{
  if (run != fh_executor_get_run (self->executor))
    return;
  fh_executor_end_run (self->executor);
  if (self->builder->close != NULL)
    self->builder->close (self->data);
}

/* The run has its result. */
static void
end_run (FhSeries *self)
{
  g_autoptr (FhRun) run = g_steal_pointer (&self->run);
  g_autoptr (GError) error = NULL;
  gboolean is_taken = TRUE;

  g_signal_handlers_disconnect_by_data (run, self);
  if (self->builder->take_result != NULL)
    is_taken = self->builder->take_result (self->data, self->current, run, &error);
  fh_series_end_call (self);
  if (self->is_closed)
    leave_executor (self, run);
  if (self->is_last_run)
    end_step (self, FH_STEP_FINISHED, NULL);
  else if (self->current->is_doomed)
    end_step (self, FH_STEP_NOT_RUN, NULL);
  else if (!is_taken)
    end_step (self, FH_STEP_REFUSED, error->message);
}

static void
result_cb (FhRun *run, GParamSpec *pspec, FhSeries *self)
{
  fh_series_settle (self);
}

static gboolean
has_to_ask (FhSeries *self)
{
  return self->current->asks != NULL && !self->current->is_approved &&
         !g_hash_table_contains (self->approved, self->current->asks);
}

static void
set_reason (FhSeries *self, const char *reason)
{
  self->is_asking = FALSE;
  g_free (self->reason);
  self->reason = fh_answer_dup_refusal (reason);
}

static void
ask (FhSeries *self)
{
  self->is_asking = TRUE;
  self->current->state = FH_STEP_ASKING;
  notify_changes (self);
  fh_series_tell (self, self->current);
  if (!self->is_asking)
    return;
  if (g_signal_has_handler_pending (self, signals[SIGNAL_ASKING], 0, FALSE))
    g_signal_emit (self, signals[SIGNAL_ASKING], 0, self->current);
  else
    set_reason (self, _ ("There was no way to ask."));
}

static void
begin_run (FhSeries *self, FhRunRequest *request)
{
  self->run = fh_executor_run (self->executor, request);
  g_signal_connect (self->run, "call", G_CALLBACK (fh_series_take_call), self);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (result_cb), self);
  if (!self->is_last_run)
    return;
  g_set_object (&self->current->run, self->run);
  self->current->state = FH_STEP_RUNNING;
  if (is_shown (self->current) && g_set_object (&self->shown, self->current))
    notify (self, PROP_STEP);
  notify_changes (self);
  fh_series_tell (self, self->current);
}

static void
begin (FhSeries *self)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;

  if (self->run != NULL || self->is_asking)
    return;
  if (self->current == NULL)
    self->current = g_queue_pop_head (&self->waiting);
  if (self->current == NULL)
    return;
  if (has_to_ask (self))
    {
      ask (self);
      return;
    }
  request = self->builder->next_request (self->data,
                                         self->current,
                                         self->options,
                                         &self->is_last_run,
                                         &error);
  if (error != NULL)
    end_step (self, FH_STEP_REFUSED, error->message);
  else if (request == NULL)
    end_step (self, self->current->ending, NULL);
  else
    begin_run (self, request);
}

/* Marks the queue as complete; the builder may still add one silent step. */
static void
add_last (FhSeries *self)
{
  FhStep *step = NULL;

  self->has_last = TRUE;
  if (!self->was_stopped && self->builder->last_step != NULL)
    step = self->builder->last_step (self->data);
  if (step != NULL)
    g_queue_push_tail (&self->waiting, step);
  else if (self->builder->close != NULL)
    self->builder->close (self->data);
}

static void
go_on (FhSeries *self)
{
  g_autofree char *reason = NULL;

  if (self->run != NULL && fh_run_get_result (self->run) != NULL)
    end_run (self);
  reason = g_steal_pointer (&self->reason);
  if (reason != NULL)
    {
      end_step (self, FH_STEP_REFUSED, reason);
    }
  else if (self->current != NULL && self->current->state == FH_STEP_ASKING && !self->is_asking)
    {
      self->current->state = FH_STEP_WAITING;
      fh_series_tell (self, self->current);
    }
  if (self->current != NULL && self->current->is_doomed && self->run == NULL && !self->is_asking)
    end_step (self, FH_STEP_NOT_RUN, NULL);
  drop_doomed (self);
  if (self->may_begin)
    {
      self->may_begin = FALSE;
      begin (self);
    }
  if (self->is_started && self->current == NULL && g_queue_is_empty (&self->waiting) &&
      !self->builder->stays_open && !self->has_last)
    add_last (self);
}

static gboolean
turn_cb (gpointer user_data)
{
  FhSeries *self = FH_SERIES (user_data);

  self->turn = 0;
  self->may_begin = TRUE;
  fh_series_settle (self);
  return G_SOURCE_REMOVE;
}

/* In a later turn of the main loop, because the executor has not yet seen the end of the last run.
 * Before anything is painted, so that no frame shows that nothing runs. */
static void
schedule (FhSeries *self)
{
  const gboolean has_next = self->current != NULL || !g_queue_is_empty (&self->waiting);

  if (has_next && self->is_started && self->run == NULL && !self->is_asking && self->turn == 0)
    self->turn = g_idle_add_full (G_PRIORITY_DEFAULT, turn_cb, self, NULL);
}

/* Everything that happens goes through here, one thing after the other: what a listener asks for
 * while it is told of something is done when all have been told. */
void
fh_series_settle (FhSeries *self)
{
  G_GNUC_UNUSED g_autoptr (FhSeries) alive = g_object_ref (self);

  self->is_dirty = TRUE;
  if (self->is_settling || self->state == FH_SERIES_DONE)
    return;
  self->is_settling = TRUE;
  while (self->is_dirty)
    {
      self->is_dirty = FALSE;
      go_on (self);
      notify_changes (self);
    }
  self->is_settling = FALSE;
  if (self->state == FH_SERIES_DONE)
    g_signal_emit (self, signals[SIGNAL_DONE], 0);
  else
    schedule (self);
}

void
fh_series_add_step (FhSeries *self, FhStep *step)
{
  g_return_if_fail (FH_IS_SERIES (self) && !self->is_started);

  g_queue_push_tail (&self->waiting, step);
}

void
fh_series_start (FhSeries *self)
{
  g_return_if_fail (FH_IS_SERIES (self) && !self->is_started);

  self->is_started = TRUE;
  notify_changes (self);
  self->may_begin = TRUE;
  fh_series_settle (self);
}

FhStep *
fh_series_push (FhSeries *self, FhCell *cell, gboolean goes_first, GError **error)
{
  g_return_val_if_fail (FH_IS_SERIES (self) && FH_IS_CELL (cell), NULL);
  g_return_val_if_fail (self->builder->stays_open, NULL);

  if (self->is_closed)
    {
      fh_run_error_refuse (error, "%s", _ ("The session is closed."));
      return NULL;
    }
  if (g_queue_get_length (&self->waiting) >= MAX_WAITING)
    {
      fh_run_error_refuse (error, "%s", _ ("Too many cells are waiting."));
      return NULL;
    }
  fh_series_note_function (self, cell);
  g_clear_object (&self->pushed);
  self->pushed = self->builder->new_cell (cell);
  if (goes_first)
    g_queue_push_head (&self->waiting, g_object_ref (self->pushed));
  else
    g_queue_push_tail (&self->waiting, g_object_ref (self->pushed));
  fh_series_settle (self);
  return self->pushed;
}

void
fh_series_approve (FhSeries *self, gboolean always)
{
  g_return_if_fail (FH_IS_SERIES (self));

  if (!self->is_asking)
    return;
  self->is_asking = FALSE;
  self->current->is_approved = TRUE;
  if (always)
    g_hash_table_add (self->approved, (gpointer) self->current->asks);
  fh_series_settle (self);
}

void
fh_series_refuse (FhSeries *self, const char *reason)
{
  g_return_if_fail (FH_IS_SERIES (self));

  if (!self->is_asking)
    return;
  set_reason (self, reason);
  fh_series_settle (self);
}

/* The steps that are shown will not run. What runs goes on. */
static void
give_up (FhSeries *self)
{
  if (is_shown (self->current) || count_waiting (self) > 0)
    self->was_stopped = TRUE;
  if (self->is_asking)
    set_reason (self, NULL);
  else if (is_shown (self->current))
    self->current->is_doomed = TRUE;
}

void
fh_series_stop (FhSeries *self)
{
  g_autoptr (FhRun) run = NULL;

  g_return_if_fail (FH_IS_SERIES (self));

  doom (self, FALSE);
  give_up (self);
  if (self->run != NULL && (is_shown (self->current) || !self->builder->stays_open))
    {
      self->is_stopping = TRUE;
      g_set_object (&run, self->run);
    }
  fh_series_settle (self);
  if (run != NULL)
    fh_run_stop (run);
}

gboolean
fh_series_interrupt (FhSeries *self, FhStep *step)
{
  GList *at;

  g_return_val_if_fail (FH_IS_SERIES (self), FALSE);

  if (self->run != NULL && (step == NULL || step == self->current))
    {
      g_autoptr (FhRun) run = g_object_ref (self->run);

      fh_run_stop (run);
      return TRUE;
    }
  at = step != NULL ? g_queue_find (&self->waiting, step) : NULL;
  if (at == NULL)
    return FALSE;
  step->is_doomed = TRUE;
  fh_series_settle (self);
  return TRUE;
}

/* An interpreter that does nothing gets the time to end by itself. FALSE if there is none. */
static gboolean
push_last_cell (FhSeries *self)
{
  FhStep *step = NULL;

  if (self->run == NULL && self->builder->stays_open && self->builder->last_step != NULL)
    step = self->builder->last_step (self->data);
  if (step != NULL)
    g_queue_push_tail (&self->waiting, step);
  return step != NULL;
}

static void
end_at_once (FhSeries *self)
{
  if (self->run != NULL && self->run == fh_executor_get_run (self->executor))
    fh_executor_end_run (self->executor);
  if (self->builder->close != NULL)
    self->builder->close (self->data);
}

void
fh_series_close (FhSeries *self)
{
  G_GNUC_UNUSED g_autoptr (FhSeries) alive = g_object_ref (self);

  g_return_if_fail (FH_IS_SERIES (self));

  if (self->is_closed || self->state == FH_SERIES_DONE)
    return;
  self->is_closed = TRUE;
  doom (self, TRUE);
  give_up (self);
  if (self->no_calls == NULL)
    self->no_calls = g_strdup ("the session is being closed");
  if (self->current != NULL)
    self->current->is_doomed = TRUE;
  if (!push_last_cell (self))
    end_at_once (self);
  fh_series_settle (self);
}

void
fh_series_set_options (FhSeries *self, const FhRunOptions *options)
{
  g_return_if_fail (FH_IS_SERIES (self) && options != NULL);

  fh_run_options_free (self->options);
  self->options = fh_run_options_copy (options);
}

FhSeriesState
fh_series_get_state (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), FH_SERIES_DONE);

  return self->state;
}

FhStep *
fh_series_get_step (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), NULL);

  return self->shown;
}

guint
fh_series_get_n_waiting (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), 0);

  return count_waiting (self);
}

const FhRunOptions *
fh_series_get_options (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), NULL);

  return self->options;
}

FhResultFiles *
fh_series_dup_files (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), fh_result_files_new ());

  if (self->builder->dup_files != NULL)
    return self->builder->dup_files (self->data);
  return self->shown != NULL ? g_object_ref (fh_run_get_files (self->shown->run))
                             : fh_result_files_new ();
}

FhFolderChanges *
fh_series_get_changes (FhSeries *self)
{
  FhRunResult *result;

  g_return_val_if_fail (FH_IS_SERIES (self), NULL);

  if (self->builder->get_changes != NULL)
    return self->builder->get_changes (self->data);
  result = self->shown != NULL ? fh_run_get_result (self->shown->run) : NULL;
  return result != NULL ? fh_run_result_get_parts (result)->changes : NULL;
}

/* Says which block of an answer the outcome is that of: the one that was the last because of it, or
 * the only one. */
static void
name_block (FhSeries *self, FhRunOutcome *outcome)
{
  const gboolean was_ended = self->refusal != NULL || self->failed != NULL;

  if (self->n_all_blocks > 1 && outcome->status != FH_RUN_STATUS_STOPPED &&
      (was_ended || self->n_blocks == 1))
    {
      outcome->block = self->last_block;
      outcome->blocks_left = self->n_left;
    }
}

FhRunOutcome
fh_series_get_outcome (FhSeries *self)
{
  FhRunOutcome outcome = { .signal = -1 };

  g_return_val_if_fail (FH_IS_SERIES (self), outcome);

  outcome = self->sums;
  if (self->refusal != NULL)
    {
      outcome.status = self->has_run ? FH_RUN_STATUS_FAILED : FH_RUN_STATUS_NOT_STARTED;
      outcome.exit_code = self->has_run ? 1 : -1;
      outcome.step = FH_RUN_STEP_APPROVAL;
      outcome.message = self->refusal;
    }
  else if (self->failed != NULL)
    {
      outcome = *fh_run_result_get_parts (self->failed)->outcome;
      outcome.wall_us = self->sums.wall_us;
      outcome.cpu_user_us = self->sums.cpu_user_us;
      outcome.cpu_system_us = self->sums.cpu_system_us;
      outcome.memory_peak = self->sums.memory_peak;
      outcome.value = NULL;
    }
  else if (self->was_stopped && !self->builder->stays_open)
    {
      outcome.status = FH_RUN_STATUS_STOPPED;
      outcome.exit_code = -1;
    }
  name_block (self, &outcome);
  return outcome;
}

int
fh_series_get_exit_status (FhSeries *self)
{
  g_return_val_if_fail (FH_IS_SERIES (self), 1);

  if (self->refusal != NULL)
    return self->was_stopped ? FH_SERIES_STOPPED : 1;
  if (self->failed != NULL)
    return fh_run_outcome_exit_status (fh_run_result_get_parts (self->failed)->outcome);
  return self->was_stopped ? FH_SERIES_STOPPED : 0;
}

static void
fh_series_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhSeries *self = FH_SERIES (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_uint (value, self->state);
      break;
    case PROP_STEP:
      g_value_set_object (value, self->shown);
      break;
    case PROP_N_WAITING:
      g_value_set_uint (value, count_waiting (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_series_dispose (GObject *object)
{
  FhSeries *self = FH_SERIES (object);

  g_clear_handle_id (&self->turn, g_source_remove);
  if (self->run != NULL)
    g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
  g_queue_clear_full (&self->waiting, g_object_unref);
  g_queue_clear_full (&self->asked, g_object_unref);
  g_queue_free_full (fh_cell_call_end (&self->call), g_object_unref);
  g_clear_object (&self->current);
  g_clear_object (&self->shown);
  g_clear_object (&self->pushed);
  g_clear_object (&self->failed);
  g_clear_object (&self->executor);

  G_OBJECT_CLASS (fh_series_parent_class)->dispose (object);
}

static void
fh_series_finalize (GObject *object)
{
  FhSeries *self = FH_SERIES (object);

  self->builder->free (self->data);
  fh_run_options_free (self->options);
  g_hash_table_unref (self->approved);
  g_hash_table_unref (self->functions);
  g_free (self->reason);
  g_free (self->refusal);
  g_free (self->no_calls);

  G_OBJECT_CLASS (fh_series_parent_class)->finalize (object);
}

static void
fh_series_class_init (FhSeriesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->get_property = fh_series_get_property;
  object_class->dispose = fh_series_dispose;
  object_class->finalize = fh_series_finalize;

  properties[PROP_STATE] =
      g_param_spec_uint ("state", NULL, NULL, 0, FH_SERIES_DONE, FH_SERIES_READY, flags);
  properties[PROP_STEP] = g_param_spec_object ("step", NULL, NULL, FH_TYPE_STEP, flags);
  properties[PROP_N_WAITING] = g_param_spec_uint ("n-waiting", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_STEP_CHANGED] = fh_signal_new ("step-changed", FH_TYPE_SERIES, 1, FH_TYPE_STEP);
  signals[SIGNAL_ASKING] = fh_signal_new ("asking", FH_TYPE_SERIES, 1, FH_TYPE_STEP);
  signals[SIGNAL_CALL] = fh_signal_new ("call",
                                        FH_TYPE_SERIES,
                                        4,
                                        FH_TYPE_STEP,
                                        G_TYPE_UINT,
                                        G_TYPE_STRING,
                                        JSON_TYPE_NODE);
  signals[SIGNAL_DONE] = fh_signal_new ("done", FH_TYPE_SERIES, 0);
}

static void
fh_series_init (FhSeries *self)
{
  self->approved = g_hash_table_new (NULL, NULL);
  self->functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sums.signal = -1;
}

FhSeries *
fh_series_new (FhExecutor *executor,
               const FhSeriesBuilder *builder,
               gpointer data,
               const FhRunOptions *options,
               FhAfterFailure after_failure)
{
  FhSeries *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor), NULL);
  g_return_val_if_fail (builder != NULL && options != NULL, NULL);

  self = g_object_new (FH_TYPE_SERIES, NULL);
  self->executor = g_object_ref (executor);
  self->builder = builder;
  self->data = data;
  self->options = fh_run_options_copy (options);
  self->after_failure = after_failure;
  return self;
}
