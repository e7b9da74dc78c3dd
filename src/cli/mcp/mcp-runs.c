/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-runs.h"

#include "mcp-result.h"

struct _FhMcpRuns
{
  FhMcpWork parent_instance;

  FhMcpHost *host;
  GPtrArray *blocks; /* (element-type FhAnswerBlock) */
  FhRunOptions *options;
  char *note; /* nullable */
  gboolean is_list;

  FhExecutor *executor; /* while it works */
  FhAnswerRun *answer;
  guint turn;     /* an idle source */
  guint n_adding; /* runs that are being added to the history */
  char *refusal;  /* nullable: why a block could not be run; "" if its result says it */
  gboolean is_stopped;
  JsonArray *described; /* of runs that have ended */
  GString *text;        /* about them */
};

/* A run on its way into the history. */
typedef struct
{
  FhMcpRuns *runs;
  guint index;
  FhRunResult *result;
} Added;

G_DEFINE_FINAL_TYPE (FhMcpRuns, fh_mcp_runs, FH_TYPE_MCP_WORK)

static void
release_session (FhMcpRuns *self)
{
  g_clear_object (&self->answer);
  if (self->executor != NULL)
    fh_mcp_host_return_executor (self->host, g_steal_pointer (&self->executor));
}

static gboolean
finish_cb (gpointer user_data)
{
  FhMcpRuns *self = user_data;
  const gboolean is_error = self->refusal != NULL;
  const gboolean is_success =
      self->answer != NULL && fh_answer_run_get_exit_status (self->answer) == 0;
  JsonObject *structured = NULL;

  self->turn = 0;
  release_session (self);
  if (is_error && *self->text->str != '\0')
    g_string_append_c (self->text, '\n');
  if (is_error)
    g_string_append (self->text, self->refusal);
  if (self->is_list)
    {
      structured = json_object_new ();
      json_object_set_boolean_member (structured, "success", !is_error && is_success);
      json_object_set_int_member (structured, "blocks", self->blocks->len);
      json_object_set_array_member (structured, "runs", json_array_ref (self->described));
    }
  else if (json_array_get_length (self->described) > 0)
    {
      structured = json_object_ref (json_array_get_object_element (self->described, 0));
    }
  fh_mcp_work_finish (FH_MCP_WORK (self),
                      fh_mcp_result_new (self->text->str, structured, is_error));
  return G_SOURCE_REMOVE;
}

/* In a later turn: not while it is being stopped. */
static void
finish_if_done (FhMcpRuns *self)
{
  const gboolean is_done = self->answer == NULL || fh_answer_run_is_done (self->answer);

  if (is_done && self->n_adding == 0 && self->turn == 0)
    self->turn =
        g_idle_add_full (G_PRIORITY_DEFAULT, finish_cb, g_object_ref (self), g_object_unref);
}

static void
append_text (FhMcpRuns *self, guint index, JsonObject *described)
{
  const FhAnswerBlock *block = g_ptr_array_index (self->blocks, index);
  g_autofree char *text = fh_mcp_result_text (described);

  if (self->is_list)
    {
      json_object_set_string_member (described, "language", block->language->id);
      g_string_append_printf (self->text,
                              "%sBlock %u of %u, %s:",
                              self->text->len > 0 ? "\n" : "",
                              index + 1,
                              self->blocks->len,
                              block->language->name);
      g_string_append_c (self->text, '\n');
    }
  g_string_append (self->text, text);
}

/* `id`: of the run in the history, or -1. `problem`: nullable; why it is not there. */
static void
describe (FhMcpRuns *self, guint index, FhRunResult *result, gint64 id, const char *problem)
{
  JsonObject *described = fh_mcp_result_describe_run (result, self->options->show_bytes, id);
  g_autofree char *text = NULL;

  if (index == 0 && self->note != NULL)
    fh_mcp_result_add_note (described, self->note);
  if (problem != NULL)
    {
      text = g_strdup_printf ("This run is not in the history: %s", problem);
      fh_mcp_result_add_note (described, text);
    }
  json_array_add_object_element (self->described, described);
  append_text (self, index, described);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Added *added = user_data;
  FhMcpRuns *self = added->runs;
  g_autoptr (GError) error = NULL;
  const gint64 id = fh_history_add_finish (FH_HISTORY (source), result, &error);

  describe (self, added->index, added->result, id, error != NULL ? error->message : NULL);
  self->n_adding--;
  finish_if_done (self);
  g_object_unref (added->result);
  g_object_unref (added->runs);
  g_free (added);
}

static void
started_cb (FhAnswerRun *answer, guint index, FhRun *run, FhMcpRuns *self)
{
  fh_mcp_work_watch (FH_MCP_WORK (self), run);
}

/* The history adds in order, so that the descriptions are in order as well. */
static void
finished_cb (FhAnswerRun *answer, guint index, FhRun *run, FhMcpRuns *self)
{
  FhHistory *history = fh_mcp_host_get_history (self->host);
  FhRunResult *result = fh_run_get_result (run);
  Added *added;

  if (!fh_run_outcome_has_run (fh_run_result_get_outcome (result)))
    self->refusal = g_strdup ("");
  if (history == NULL)
    {
      describe (self, index, result, -1, NULL);
      return;
    }
  added = g_new (Added, 1);
  added->runs = g_object_ref (self);
  added->index = index;
  added->result = g_object_ref (result);
  self->n_adding++;
  fh_history_add_async (history, fh_run_get_request (run), result, NULL, added_cb, added);
}

static void
refused_cb (FhAnswerRun *answer, guint index, const char *message, FhMcpRuns *self)
{
  self->refusal = g_strdup (message);
}

static void
done_cb (FhAnswerRun *answer, FhMcpRuns *self)
{
  finish_if_done (self);
}

static gboolean
start_cb (gpointer user_data)
{
  FhMcpRuns *self = user_data;

  if (self->is_stopped)
    {
      self->refusal = g_strdup ("");
      finish_if_done (self);
      return G_SOURCE_REMOVE;
    }
  self->executor = fh_mcp_host_take_executor (self->host);
  self->answer = fh_answer_run_new (self->executor, self->blocks, self->options);
  g_signal_connect_object (self->answer, "started", G_CALLBACK (started_cb), self, 0);
  g_signal_connect_object (self->answer, "finished", G_CALLBACK (finished_cb), self, 0);
  g_signal_connect_object (self->answer, "refused", G_CALLBACK (refused_cb), self, 0);
  g_signal_connect_object (self->answer, "done", G_CALLBACK (done_cb), self, 0);
  fh_answer_run_start (self->answer);
  return G_SOURCE_REMOVE;
}

static void
start (FhMcpWork *work)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, start_cb, g_object_ref (work), g_object_unref);
}

static void
stop (FhMcpWork *work, gboolean by_force)
{
  FhMcpRuns *self = FH_MCP_RUNS (work);

  self->is_stopped = TRUE;
  if (self->answer == NULL)
    return;
  fh_answer_run_stop (self->answer);
  if (by_force)
    fh_answer_run_stop (self->answer);
}

static char *
dup_progress (FhMcpWork *work)
{
  FhMcpRuns *self = FH_MCP_RUNS (work);

  return self->executor != NULL ? fh_executor_dup_progress (self->executor) : NULL;
}

static void
fh_mcp_runs_finalize (GObject *object)
{
  FhMcpRuns *self = FH_MCP_RUNS (object);

  release_session (self);
  g_ptr_array_unref (self->blocks);
  fh_run_options_free (self->options);
  g_free (self->note);
  g_free (self->refusal);
  json_array_unref (self->described);
  g_string_free (self->text, TRUE);

  G_OBJECT_CLASS (fh_mcp_runs_parent_class)->finalize (object);
}

static void
fh_mcp_runs_class_init (FhMcpRunsClass *klass)
{
  FhMcpWorkClass *work_class = FH_MCP_WORK_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_mcp_runs_finalize;
  work_class->start = start;
  work_class->stop = stop;
  work_class->dup_progress = dup_progress;
}

static void
fh_mcp_runs_init (FhMcpRuns *self)
{
  self->described = json_array_new ();
  self->text = g_string_new (NULL);
}

/* All code, for a person who is asked about it. */
static void
set_code (FhMcpRuns *self)
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
fh_mcp_runs_new (FhMcpHost *host,
                 GPtrArray *blocks,
                 const FhRunOptions *options,
                 const char *note,
                 gboolean is_list)
{
  FhMcpRuns *self = g_object_new (FH_TYPE_MCP_RUNS, NULL);

  self->host = host;
  self->blocks = g_ptr_array_ref (blocks);
  self->options = fh_run_options_copy (options);
  /* Of blocks in Python. */
  self->options->guards.report_lines = TRUE;
  self->note = g_strdup (note);
  self->is_list = is_list;
  if (fh_mcp_host_keeps_container (host))
    fh_mcp_work_set_key (FH_MCP_WORK (self), FH_MCP_CONTAINER_KEY);
  set_code (self);
  return FH_MCP_WORK (self);
}
