/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-driver.h"

#include <glib/gi18n-lib.h>

#include "json-guard.h"
#include "json-member.h"
#include "main-source.h"
#include "output-cut.h"
#include "signals.h"

/* A flood of made-up reports must leave room in the log for what guards saw. */
#define MAX_REPORTED (FH_ATTEMPT_LOG_MAX / 2)
#define MAX_LINES    512

struct _FhAttemptRecorder
{
  FhAttemptLog *log;
  GHashTable *lines; /* object → line, of attempts that no guard has seen yet */
  guint n_lines;     /* reports so far, in the table or not */
  guint n_reported;  /* rows in the log that only the interpreter reported */
  guint64 dropped;
  guint64 dropped_reports;
};

FhAttemptRecorder *
fh_attempt_recorder_new (void)
{
  FhAttemptRecorder *self = g_new0 (FhAttemptRecorder, 1);

  self->log = fh_attempt_log_new ();
  self->lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
fh_attempt_recorder_free (FhAttemptRecorder *self)
{
  if (self == NULL)
    return;
  g_object_unref (self->log);
  g_hash_table_unref (self->lines);
  g_free (self);
}

FhAttemptLog *
fh_attempt_recorder_get_log (FhAttemptRecorder *self)
{
  return self->log;
}

gboolean
fh_attempt_recorder_add (FhAttemptRecorder *self, FhAttempt *attempt)
{
  const FhAttemptFacts *facts;
  FhAttempt *report;

  facts = fh_attempt_get_facts (attempt);
  report = fh_attempt_log_find_act (self->log, facts->operation, facts->object, TRUE);
  if (report == NULL)
    {
      fh_attempt_set_line (attempt,
                           GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, facts->object)));
      return fh_attempt_log_add (self->log, attempt);
    }
  fh_attempt_set_line (attempt, fh_attempt_get_facts (report)->line);
  fh_attempt_log_replace (self->log, report, attempt);
  self->n_reported--;
  return TRUE;
}

static void
show_dropped (FhAttemptRecorder *self)
{
  fh_attempt_log_set_n_dropped (self->log, self->dropped + self->dropped_reports);
}

/* The table keeps the line for guards that report later than the interpreter. */
static void
take_line (FhAttemptRecorder *self, FhAttempt *about)
{
  const FhAttemptFacts *hint = fh_attempt_get_facts (about);

  if (self->n_lines == MAX_LINES || hint->line == 0)
    return;
  self->n_lines++;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->log)); i++)
    {
      FhAttempt *seen = fh_attempt_log_get (self->log, i);

      if (g_str_equal (fh_attempt_get_facts (seen)->object, hint->object))
        fh_attempt_set_line (seen, hint->line);
    }
  if (!g_hash_table_contains (self->lines, hint->object))
    g_hash_table_insert (self->lines, g_strdup (hint->object), GUINT_TO_POINTER (hint->line));
}

/* TRUE when it is known: seen by a guard, or reported before. */
static gboolean
merge (FhAttemptRecorder *self, FhAttempt *report)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (report);
  FhAttempt *seen = fh_attempt_log_find_act (self->log, facts->operation, facts->object, FALSE);
  FhAttempt *told;

  if (seen != NULL)
    {
      fh_attempt_set_line (seen, facts->line);
      return TRUE;
    }
  told = fh_attempt_log_find (self->log, facts);
  if (told == NULL)
    return FALSE;
  fh_attempt_set_line (told, facts->line);
  fh_attempt_add_count (told, facts->count);
  return TRUE;
}

void
fh_attempt_recorder_report (FhAttemptRecorder *self, const FhAttemptFacts *facts)
{
  FhAttemptFacts reported;
  g_autoptr (FhAttempt) report = NULL;

  reported = *facts;
  reported.is_reported = TRUE;
  report = fh_attempt_new (&reported);
  if (*fh_attempt_get_facts (report)->operation == '\0')
    take_line (self, report);
  else if (merge (self, report))
    return;
  else if (self->n_reported >= MAX_REPORTED)
    {
      self->dropped_reports++;
      show_dropped (self);
    }
  else if (fh_attempt_log_add (self->log, report))
    self->n_reported++;
}

void
fh_attempt_recorder_set_dropped (FhAttemptRecorder *self, guint64 count)
{
  self->dropped = count;
  show_dropped (self);
}

/* One live run. The state only ever grows: a stop that was asked for before the program started
 * is not taken back by the start, and nothing happens after the end. The result is made once, from
 * the first outcome that a driver names; the output log is frozen into it. */
struct _FhRun
{
  GObject parent_instance;

  FhRunRequest *request;
  FhRunRequest *asked; /* the same without live input */
  GBytes *sent;        /* live input that is still to become a part of the request; nullable */
  FhLiveInput *input;  /* nullable */
  FhRunState state;
  FhRunResult *result;
  FhOutputLog *output;
  FhAttemptRecorder *attempts;
  FhResultFiles *files;
  FhFolderChanges *changes; /* nullable */
  GPtrArray *guards;
  GDateTime *created_at;
  gint64 started_at;
  FhRunUsage usage;
  guint usage_serial;
  guint stops;
  char *backend;
  char *tier;
  gboolean is_forked;
  GBytes *answer;          /* nullable */
  const char *earlier_end; /* static, nullable */
};

G_DEFINE_FINAL_TYPE (FhRun, fh_run, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_STATE,
  PROP_RESULT,
  PROP_USAGE_SERIAL,
  N_PROPS,
};

enum
{
  SIGNAL_OUTPUT,
  SIGNAL_STOP_REQUESTED,
  SIGNAL_CALL,
  SIGNAL_REPLY,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void
advance (FhRun *self, FhRunState state)
{
  if (state <= self->state)
    return;
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

static void
fh_run_finalize (GObject *object)
{
  FhRun *self = FH_RUN (object);

  g_clear_object (&self->request);
  g_clear_object (&self->asked);
  g_clear_pointer (&self->sent, g_bytes_unref);
  g_clear_object (&self->input);
  g_clear_object (&self->result);
  g_clear_object (&self->output);
  g_clear_pointer (&self->attempts, fh_attempt_recorder_free);
  g_clear_object (&self->files);
  g_clear_object (&self->changes);
  g_clear_pointer (&self->guards, g_ptr_array_unref);
  g_clear_pointer (&self->created_at, g_date_time_unref);
  g_clear_pointer (&self->answer, g_bytes_unref);
  g_clear_pointer (&self->backend, g_free);
  g_clear_pointer (&self->tier, g_free);

  G_OBJECT_CLASS (fh_run_parent_class)->finalize (object);
}

static void
fh_run_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhRun *self = FH_RUN (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_uint (value, self->state);
      break;
    case PROP_RESULT:
      g_value_set_object (value, self->result);
      break;
    case PROP_USAGE_SERIAL:
      g_value_set_uint (value, self->usage_serial);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_run_class_init (FhRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->finalize = fh_run_finalize;
  object_class->get_property = fh_run_get_property;

  properties[PROP_STATE] =
      g_param_spec_uint ("state", NULL, NULL, 0, FH_RUN_FINISHED, FH_RUN_PREPARING, flags);
  properties[PROP_RESULT] = g_param_spec_object ("result", NULL, NULL, FH_TYPE_RUN_RESULT, flags);
  properties[PROP_USAGE_SERIAL] =
      g_param_spec_uint ("usage-serial", NULL, NULL, 0, G_MAXUINT, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_OUTPUT] = fh_signal_new ("output", type, 1, G_TYPE_POINTER);
  signals[SIGNAL_STOP_REQUESTED] = fh_signal_new ("stop-requested", type, 1, G_TYPE_BOOLEAN);
  signals[SIGNAL_CALL] = fh_signal_new ("call", type, 1, G_TYPE_BYTES);
  signals[SIGNAL_REPLY] = fh_signal_new ("reply", type, 2, G_TYPE_UINT, G_TYPE_BYTES);
}

static void
fh_run_init (FhRun *self)
{
  self->output = fh_output_log_new ();
  self->attempts = fh_attempt_recorder_new ();
  self->files = fh_result_files_new ();
  self->guards = g_ptr_array_new_with_free_func (g_object_unref);
  self->created_at = g_date_time_new_now_utc ();
  self->tier = g_strdup ("");
}

FhRun *
fh_run_new (FhRunRequest *request, const char *backend)
{
  FhRun *self;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);
  g_return_val_if_fail (backend != NULL, NULL);

  self = g_object_new (FH_TYPE_RUN, NULL);
  self->request = g_object_ref (request);
  self->asked = g_object_ref (request);
  if (fh_run_request_takes_live_input (request))
    self->input = g_object_new (FH_TYPE_LIVE_INPUT, NULL);
  self->backend = g_strdup (backend);
  return self;
}

void
fh_run_take_guards (FhRun *self, GPtrArray *guards, const char *tier)
{
  if (self->state == FH_RUN_FINISHED)
    {
      g_ptr_array_unref (guards);
      return;
    }
  g_ptr_array_unref (self->guards);
  self->guards = guards;
  g_free (self->tier);
  self->tier = g_strdup (tier);
}

void
fh_run_set_forked (FhRun *self)
{
  self->is_forked = TRUE;
}

void
fh_run_set_changes (FhRun *self, FhFolderChanges *changes)
{
  g_set_object (&self->changes, changes);
}

gboolean
fh_run_is_forked (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), FALSE);

  return self->is_forked;
}

void
fh_run_started (FhRun *self)
{
  if (self->state == FH_RUN_FINISHED || self->started_at != 0)
    return;
  self->started_at = g_get_monotonic_time ();
  g_date_time_unref (self->created_at);
  self->created_at = g_date_time_new_now_utc ();
  advance (self, FH_RUN_RUNNING);
  if (self->input != NULL)
    fh_live_input_set_open (self->input, TRUE);
}

void
fh_run_add_output (FhRun *self, FhStream stream, guint64 time_us, const void *data, gsize size)
{
  const FhOutputPiece piece = { .stream = stream, .time_us = time_us, .data = data, .size = size };

  g_return_if_fail (data != NULL || size == 0);

  if (self->state == FH_RUN_FINISHED || size == 0)
    return;
  fh_output_log_append (self->output, stream, time_us, data, size);
  g_signal_emit (self, signals[SIGNAL_OUTPUT], 0, &piece);
}

/* A folder of the user's that the program works in, or one that waits for the next run. */
static gboolean
has_lasting_folder (FhRun *self)
{
  const FhRunOptions *options = fh_run_request_get_parts (self->request)->options;

  return fh_run_options_get_work_dir (options) != NULL ||
         (options->in_container && options->container.is_kept);
}

void
fh_run_add_attempt (FhRun *self, FhAttempt *attempt)
{
  if (has_lasting_folder (self))
    fh_attempt_set_lasting (attempt);
  if (self->state != FH_RUN_FINISHED)
    fh_attempt_recorder_add (self->attempts, attempt);
}

void
fh_run_replace_attempt (FhRun *self, FhAttempt *old, FhAttempt *attempt)
{
  if (has_lasting_folder (self))
    fh_attempt_set_lasting (attempt);
  fh_attempt_set_line (attempt, fh_attempt_get_facts (old)->line);
  if (self->state != FH_RUN_FINISHED)
    fh_attempt_log_replace (fh_attempt_recorder_get_log (self->attempts), old, attempt);
}

void
fh_run_add_reported_attempt (FhRun *self, const FhAttemptFacts *reported)
{
  FhAttemptFacts facts;

  if (self->state == FH_RUN_FINISHED)
    return;
  facts = *reported;
  facts.is_lasting = has_lasting_folder (self);
  fh_attempt_recorder_report (self->attempts, &facts);
}

void
fh_run_set_attempts_dropped (FhRun *self, guint64 count)
{
  if (self->state != FH_RUN_FINISHED)
    fh_attempt_recorder_set_dropped (self->attempts, count);
}

void
fh_run_call (FhRun *self, GBytes *json)
{
  if (self->state != FH_RUN_FINISHED)
    g_signal_emit (self, signals[SIGNAL_CALL], 0, json);
}

void
fh_run_reply (FhRun *self, guint number, GBytes *json)
{
  g_return_if_fail (FH_IS_RUN (self) && json != NULL);

  if (self->state != FH_RUN_FINISHED)
    g_signal_emit (self, signals[SIGNAL_REPLY], 0, number, json);
}

void
fh_run_set_answer (FhRun *self, GBytes *json)
{
  if (self->state == FH_RUN_FINISHED || self->answer != NULL)
    return;
  self->answer = g_bytes_ref (json);
}

GBytes *
fh_run_get_answer (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->answer;
}

void
fh_run_set_earlier_end (FhRun *self, const char *sentence)
{
  self->earlier_end = sentence;
}

const char *
fh_run_get_earlier_end (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->earlier_end;
}

void
fh_run_set_usage (FhRun *self, const FhRunUsage *usage)
{
  if (self->state == FH_RUN_FINISHED)
    return;
  self->usage = *usage;
  self->usage_serial++;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_USAGE_SERIAL]);
}

/* What was sent becomes a part of the request, as if it had been there from the beginning. */
static void
end_input (FhRun *self, FhRunOutcome *outcome)
{
  if (self->input == NULL)
    return;
  if (outcome->status == FH_RUN_STATUS_TIMED_OUT && outcome->message == NULL &&
      fh_live_input_is_waiting (self->input))
    outcome->message = _ ("It was waiting for input.");
  outcome->waited_us = MIN (fh_live_input_get_waited (self->input), outcome->wall_us);
  fh_live_input_set_open (self->input, FALSE);
  self->sent = fh_live_input_dup_sent (self->input);
}

/* A cell that raised an exception has failed like a program that did. Message and value of the
 * outcome are borrowed from `parsed`, which is set to NULL if the answer is not JSON. */
static FhRunOutcome
judge_cell (GBytes *answer, const FhRunOutcome *outcome, JsonObject **parsed)
{
  FhRunOutcome judged = *outcome;
  gboolean is_success = FALSE;
  const char *line = NULL;

  *parsed = fh_json_guard_parse (g_bytes_get_data (answer, NULL),
                                 g_bytes_get_size (answer),
                                 FH_RUN_MAX_ANSWER,
                                 NULL);
  if (*parsed != NULL)
    fh_json_get_bool (*parsed, "success", &is_success, NULL);
  if (*parsed != NULL && fh_json_get_string (*parsed, "value", &line, NULL))
    judged.value = line;
  if (outcome->status != FH_RUN_STATUS_OK || is_success)
    return judged;
  judged.status = FH_RUN_STATUS_FAILED;
  judged.exit_code = -1;
  if (*parsed != NULL && fh_json_get_string (*parsed, "error", &line, NULL))
    judged.message = line;
  return judged;
}

void
fh_run_finish (FhRun *self, const FhRunOutcome *outcome)
{
  g_autoptr (FhRun) alive = NULL;
  g_autoptr (JsonObject) answer = NULL;
  FhRunOutcome judged;

  g_return_if_fail (FH_IS_RUN (self));
  g_return_if_fail (outcome != NULL);

  if (self->result != NULL)
    return;
  alive = g_object_ref (self);
  judged = self->answer != NULL ? judge_cell (self->answer, outcome, &answer) : *outcome;
  end_input (self, &judged);
  self->result = fh_run_result_new (&(FhRunResultParts){
      .outcome = &judged,
      .output = self->output,
      .attempts = fh_attempt_recorder_get_log (self->attempts),
      .files = self->files,
      .changes = self->changes,
      .guards = self->guards,
      .started_at = self->created_at,
      .backend = self->backend,
      .tier = self->tier,
  });
  /* Notify together, so that listeners of `result` find FH_RUN_FINISHED. */
  g_object_freeze_notify (G_OBJECT (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESULT]);
  advance (self, FH_RUN_FINISHED);
  g_object_thaw_notify (G_OBJECT (self));
}

/* The end of a run that was never started. */
typedef struct
{
  FhRun *run;
  FhRunOutcome outcome;
  char *message;
} Early;

static void
early_free (gpointer data)
{
  Early *early = data;

  g_object_unref (early->run);
  g_free (early->message);
  g_free (early);
}

static gboolean
finish_early_cb (gpointer user_data)
{
  Early *early = user_data;

  fh_run_finish (early->run, &early->outcome);
  return G_SOURCE_REMOVE;
}

void
fh_run_finish_early (FhRun *self, FhRunStatus status, const char *step, const char *message)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Early *early = g_new0 (Early, 1);

  early->run = g_object_ref (self);
  early->message = g_strdup (message);
  early->outcome = (FhRunOutcome){
    .status = status,
    .exit_code = -1,
    .signal = -1,
    .step = g_intern_string (step),
    .message = early->message,
  };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  fh_source_attach (source, finish_early_cb, early, early_free);
}

FhRunRequest *
fh_run_get_request (FhRun *self)
{
  g_autoptr (GBytes) sent = NULL;

  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  sent = g_steal_pointer (&self->sent);
  if (sent != NULL)
    {
      g_object_unref (self->request);
      self->request = fh_run_request_with_input (self->asked, sent);
    }
  return self->request;
}

FhLiveInput *
fh_run_get_input (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->input;
}

FhRunState
fh_run_get_state (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), FH_RUN_FINISHED);

  return self->state;
}

FhRunResult *
fh_run_get_result (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->result;
}

FhRunUsage
fh_run_get_usage (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), (FhRunUsage){ 0 });

  return self->usage;
}

FhOutputLog *
fh_run_get_output (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->output;
}

FhAttemptLog *
fh_run_get_attempts (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return fh_attempt_recorder_get_log (self->attempts);
}

FhResultFiles *
fh_run_get_files (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->files;
}

GPtrArray *
fh_run_get_guards (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return self->guards;
}

FhRunResult *
fh_run_new_result_so_far (FhRun *self, gsize max_output)
{
  FhRunOutcome outcome = { .status = FH_RUN_STATUS_STOPPED,
                           .cause = FH_RUN_CAUSE_UNFINISHED,
                           .exit_code = -1,
                           .signal = -1 };
  g_autoptr (FhOutputLog) cut = NULL;
  g_autoptr (FhOutputLog) output = NULL;
  g_autoptr (FhAttemptLog) attempts = NULL;

  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  if (self->started_at != 0)
    outcome.wall_us = (guint64) (g_get_monotonic_time () - self->started_at);
  cut = fh_output_log_cut (self->output, max_output);
  output = fh_output_log_copy (cut);
  attempts = fh_attempt_log_copy (fh_attempt_recorder_get_log (self->attempts));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .attempts = attempts,
      .guards = self->guards,
      .started_at = self->created_at,
      .backend = self->backend,
      .tier = self->tier,
  });
}

gint64
fh_run_get_started_at (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), 0);

  return self->started_at;
}

void
fh_run_stop (FhRun *self)
{
  g_autoptr (FhRun) alive = NULL;

  g_return_if_fail (FH_IS_RUN (self));

  if (self->state == FH_RUN_FINISHED || self->stops >= 2)
    return;
  alive = g_object_ref (self);
  self->stops++;
  advance (self, FH_RUN_STOPPING);
  g_signal_emit (self, signals[SIGNAL_STOP_REQUESTED], 0, self->stops > 1);
}
