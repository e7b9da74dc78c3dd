/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-steps.h"

#include "mcp-result.h"

struct _FhMcpSteps
{
  FhMcpWork parent_instance;

  FhMcpHost *host;
  char *note; /* nullable */

  GPtrArray *blocks;     /* (element-type FhAnswerBlock): programs; NULL: it is a cell */
  FhRunOptions *options; /* of the programs */
  gboolean is_list;

  FhMcpSessions *sessions;
  char *name;   /* of a session */
  FhCell *cell; /* NULL: it is programs */
  gboolean with_reset;

  FhSeries *series;     /* while it works */
  FhExecutor *executor; /* of a series of programs, while it works */
  FhStep *step;         /* of the cell, while it works */
  guint turn;           /* an idle source */
  char *refusal;        /* nullable: why a step could not be run; "" if its result says it */
  JsonArray *described; /* of steps that have ended */
  GString *text;        /* about them */
};

G_DEFINE_FINAL_TYPE (FhMcpSteps, fh_mcp_steps, FH_TYPE_MCP_WORK)

static void
release (FhMcpSteps *self)
{
  if (self->series != NULL)
    g_signal_handlers_disconnect_by_data (self->series, self);
  g_clear_object (&self->series);
  g_clear_object (&self->step);
  if (self->executor != NULL)
    fh_mcp_host_return_executor (self->host, g_steal_pointer (&self->executor));
}

/* (transfer full) (nullable) */
static JsonObject *
new_structured (FhMcpSteps *self, gboolean is_success)
{
  JsonObject *object;

  if (!self->is_list)
    return json_array_get_length (self->described) > 0
               ? json_object_ref (json_array_get_object_element (self->described, 0))
               : NULL;
  object = json_object_new ();
  json_object_set_boolean_member (object, "success", is_success);
  json_object_set_int_member (object, "blocks", self->blocks->len);
  json_object_set_array_member (object, "runs", json_array_ref (self->described));
  return object;
}

static gboolean
finish_cb (gpointer user_data)
{
  FhMcpSteps *self = user_data;
  const gboolean is_error = self->refusal != NULL;
  const gboolean is_success =
      !is_error && self->series != NULL && fh_series_get_exit_status (self->series) == 0;
  JsonObject *structured = new_structured (self, is_success);

  self->turn = 0;
  release (self);
  if (is_error && self->text->len > 0)
    g_string_append_c (self->text, '\n');
  if (is_error)
    g_string_append (self->text, self->refusal);
  fh_mcp_work_finish (FH_MCP_WORK (self),
                      fh_mcp_result_new (self->text->str, structured, is_error));
  return G_SOURCE_REMOVE;
}

/* The work ends in a later turn: not while it is being started or stopped, and when the executor
 * has seen the end of its run. */
static void
end (FhMcpSteps *self)
{
  if (self->turn == 0)
    self->turn =
        g_idle_add_full (G_PRIORITY_DEFAULT, finish_cb, g_object_ref (self), g_object_unref);
}

static void
refuse (FhMcpSteps *self, const char *message)
{
  g_free (self->refusal);
  self->refusal = g_strdup (message);
}

/* Takes `described`. `place`: a line before the text; nullable. `text`: about it. */
static void
add (FhMcpSteps *self, JsonObject *described, const char *place, const char *text)
{
  json_array_add_object_element (self->described, described);
  if (place != NULL)
    g_string_append_printf (self->text, "%s%s\n", self->text->len > 0 ? "\n" : "", place);
  g_string_append (self->text, text);
}

/* A program has ended and is in the history, with `id`, or will not be (-1). `problem`: nullable;
 * why it is not there. */
static void
saved_cb (FhSeriesRecord *record, FhStep *step, gint64 id, const char *problem, FhMcpSteps *self)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *described = fh_mcp_result_describe_run (result, self->options->show_bytes, id);
  const FhLanguage *language = fh_step_get_block (step)->language;
  const guint number = fh_step_get_number (step);
  g_autofree char *place = NULL, *missing = NULL, *text = NULL;

  if (number == 1 && self->note != NULL)
    fh_mcp_result_add_note (described, self->note);
  if (fh_step_get_note (step) != NULL)
    fh_mcp_result_add_note (described, fh_step_get_note (step));
  if (problem != NULL)
    {
      missing = g_strdup_printf ("This run is not in the history: %s", problem);
      fh_mcp_result_add_note (described, missing);
    }
  text = fh_mcp_result_text (described);
  if (self->is_list)
    {
      json_object_set_string_member (described, "language", language->id);
      place = g_strdup_printf ("Block %u of %u, %s:", number, self->blocks->len, language->name);
    }
  add (self, described, place, text);
}

static void
describe_executed (FhMcpSteps *self, FhStep *step)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  JsonObject *described = fh_mcp_result_describe_cell (step, options->show_bytes);
  const char *earlier_end = fh_run_get_earlier_end (fh_step_get_run (step));
  g_autofree char *text = NULL;

  if (self->note != NULL)
    fh_mcp_result_add_note (described, self->note);
  if (fh_step_is_restarted (step))
    fh_mcp_result_add_note (described,
                            "The interpreter had ended. A new one was started: variables of "
                            "earlier cells are gone.");
  if (fh_step_is_restarted (step) && earlier_end != NULL)
    fh_mcp_result_add_note (described, earlier_end);
  if (json_object_get_boolean_member (described, "session_ended"))
    fh_mcp_result_add_note (described,
                            "The session’s interpreter has ended: its variables are gone.");
  text = fh_mcp_result_text (described);
  add (self, described, NULL, text);
}

static void
describe_variables (FhMcpSteps *self, FhStep *step)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *described = fh_mcp_result_describe_variables (step);
  g_autofree char *text = NULL;

  if (described == NULL)
    {
      refuse (self, fh_run_result_get_parts (result)->sentence);
      return;
    }
  text = fh_mcp_result_variables_text (described);
  add (self, described, NULL, text);
}

static void
end_cell (FhMcpSteps *self, FhStep *step)
{
  if (fh_step_get_state (step) == FH_STEP_NOT_RUN)
    refuse (self, "");
  else if (fh_step_get_state (step) == FH_STEP_FINISHED &&
           fh_cell_get_kind (self->cell) == FH_CELL_EXECUTE)
    describe_executed (self, step);
  else if (fh_step_get_state (step) == FH_STEP_FINISHED)
    describe_variables (self, step);
  end (self);
}

/* A session has steps of other calls as well. */
static gboolean
is_ours (FhMcpSteps *self, FhStep *step)
{
  return self->cell != NULL ? fh_step_get_cell (step) == self->cell : !fh_step_is_silent (step);
}

static void
step_cb (FhSeries *series, FhStep *step, FhMcpSteps *self)
{
  const FhStepState state = fh_step_get_state (step);
  FhRun *run = fh_step_get_run (step);

  if (!is_ours (self, step))
    return;
  if (state == FH_STEP_RUNNING)
    {
      fh_mcp_work_watch (FH_MCP_WORK (self), run);
      return;
    }
  if (state == FH_STEP_REFUSED)
    refuse (self, fh_step_get_note (step));
  else if (state == FH_STEP_FINISHED &&
           !fh_run_outcome_has_run (fh_run_result_get_parts (fh_run_get_result (run))->outcome))
    refuse (self, "");
  if (self->cell != NULL)
    end_cell (self, step);
}

static void
start_programs (FhMcpSteps *self)
{
  FhSeriesRecord *record;

  self->executor = fh_mcp_host_take_executor (self->host);
  self->series = fh_series_new_answer (self->executor, self->blocks, 1, self->options, NULL, FALSE);
  record = fh_recorder_follow (fh_mcp_host_get_recorder (self->host),
                               self->series,
                               FH_RECORD_RUNS,
                               NULL,
                               NULL,
                               NULL);
  g_signal_connect_object (record, "saved", G_CALLBACK (saved_cb), self, 0);
  g_signal_connect_object (record, "complete", G_CALLBACK (end), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->series, "step-changed", G_CALLBACK (step_cb), self, 0);
  fh_series_start (self->series);
}

static void
push (FhMcpSteps *self, FhSeries *series, GError **error)
{
  g_autoptr (FhCell) last = fh_cell_new_end ();
  g_autoptr (FhCell) reset = fh_cell_new_reset ();
  FhStep *step;

  self->series = g_object_ref (series);
  g_signal_connect_object (series, "step-changed", G_CALLBACK (step_cb), self, 0);
  if (self->with_reset && (fh_series_push (series, last, FALSE, error) == NULL ||
                           fh_series_push (series, reset, FALSE, error) == NULL))
    return;
  step = fh_series_push (series, self->cell, FALSE, error);
  if (step != NULL)
    self->step = g_object_ref (step);
}

static void
start_cell (FhMcpSteps *self)
{
  g_autoptr (GError) error = NULL;
  FhSeries *series = fh_cell_get_kind (self->cell) == FH_CELL_LIST
                         ? fh_mcp_sessions_find (self->sessions, self->name, &error)
                         : fh_mcp_sessions_get (self->sessions, self->name, &error);

  if (series != NULL)
    push (self, series, &error);
  if (error == NULL)
    return;
  refuse (self, error->message);
  end (self);
}

static void
start (FhMcpWork *work)
{
  FhMcpSteps *self = FH_MCP_STEPS (work);

  if (self->cell != NULL)
    start_cell (self);
  else
    start_programs (self);
}

static void
stop (FhMcpWork *work, gboolean by_force)
{
  FhMcpSteps *self = FH_MCP_STEPS (work);
  const guint n = by_force ? 2 : 1;

  for (guint i = 0; i < n && self->series != NULL; i++)
    {
      if (self->cell == NULL)
        fh_series_stop (self->series);
      else if (self->step != NULL)
        fh_series_interrupt (self->series, self->step);
    }
}

static char *
dup_progress (FhMcpWork *work)
{
  FhMcpSteps *self = FH_MCP_STEPS (work);

  return self->executor != NULL ? fh_executor_dup_progress (self->executor) : NULL;
}

static void
fh_mcp_steps_finalize (GObject *object)
{
  FhMcpSteps *self = FH_MCP_STEPS (object);

  release (self);
  g_free (self->note);
  g_clear_pointer (&self->blocks, g_ptr_array_unref);
  g_clear_pointer (&self->options, fh_run_options_free);
  g_free (self->name);
  g_clear_object (&self->cell);
  g_free (self->refusal);
  json_array_unref (self->described);
  g_string_free (self->text, TRUE);

  G_OBJECT_CLASS (fh_mcp_steps_parent_class)->finalize (object);
}

static void
fh_mcp_steps_class_init (FhMcpStepsClass *klass)
{
  FhMcpWorkClass *work_class = FH_MCP_WORK_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_mcp_steps_finalize;
  work_class->start = start;
  work_class->stop = stop;
  work_class->dup_progress = dup_progress;
}

static void
fh_mcp_steps_init (FhMcpSteps *self)
{
  self->described = json_array_new ();
  self->text = g_string_new (NULL);
}

/* All code, for a person who is asked about it. */
static void
set_code (FhMcpSteps *self)
{
  const FhAnswerBlock *first = g_ptr_array_index (self->blocks, 0);
  g_autoptr (GString) code = g_string_new (self->blocks->len > 1 ? NULL : first->code);

  for (guint i = 0; self->blocks->len > 1 && i < self->blocks->len; i++)
    {
      const FhAnswerBlock *block = g_ptr_array_index (self->blocks, i);

      g_string_append_printf (code,
                              "%s# %%%% %u (%s)\n%s\n",
                              i > 0 ? "\n" : "",
                              i + 1,
                              block->language->name,
                              block->code);
    }
  fh_mcp_work_set_code (FH_MCP_WORK (self), code->str, first->language->id, self->options);
}

FhMcpWork *
fh_mcp_steps_new_programs (FhMcpHost *host,
                           GPtrArray *blocks,
                           const FhRunOptions *options,
                           const char *note,
                           gboolean is_list)
{
  FhMcpSteps *self = g_object_new (FH_TYPE_MCP_STEPS, NULL);

  self->host = host;
  self->note = g_strdup (note);
  self->blocks = g_ptr_array_ref (blocks);
  self->options = fh_run_options_copy (options);
  /* Python tells the lines of what it tries; other languages cannot. */
  self->options->guards.report_lines = TRUE;
  self->is_list = is_list;
  if (fh_mcp_host_keeps_container (host))
    fh_mcp_work_set_key (FH_MCP_WORK (self), FH_MCP_CONTAINER_KEY);
  set_code (self);
  return FH_MCP_WORK (self);
}

FhMcpWork *
fh_mcp_steps_new_cell (FhMcpHost *host,
                       FhMcpSessions *sessions,
                       const char *name,
                       FhCell *cell,
                       const FhRunOptions *options,
                       gboolean with_reset,
                       const char *note)
{
  FhMcpSteps *self = g_object_new (FH_TYPE_MCP_STEPS, NULL);
  g_autofree char *key = g_strconcat ("session ", name, NULL);

  self->host = host;
  self->note = g_strdup (note);
  self->sessions = sessions;
  self->name = g_strdup (name);
  self->cell = g_object_ref (cell);
  self->with_reset = with_reset;
  fh_mcp_work_set_key (FH_MCP_WORK (self),
                       fh_mcp_host_keeps_container (host) ? FH_MCP_CONTAINER_KEY : key);
  if (fh_cell_get_kind (cell) == FH_CELL_EXECUTE)
    fh_mcp_work_set_code (FH_MCP_WORK (self), fh_cell_get_source (cell), "python", options);
  return FH_MCP_WORK (self);
}
