/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-runs.h"

#include <glib/gi18n-lib.h>

#include "mcp-result.h"

struct _FhMcpRuns
{
  FhMcpWork parent_instance;

  FhMcpHost *host;
  GPtrArray *blocks; /* (element-type FhMcpBlock) */
  FhRunOptions *options;
  char *note; /* nullable */
  gboolean is_list;

  FhSession *session; /* while it works */
  FhRun *run;         /* the present one */
  guint at;           /* its block */
  guint turn;         /* an idle source */
  gboolean is_stopped;
  GHashTable *files;    /* (element-type utf8 GBytes): what the blocks have left, by path */
  JsonArray *described; /* of runs that have ended */
  GString *text;        /* about them */
};

G_DEFINE_FINAL_TYPE (FhMcpRuns, fh_mcp_runs, FH_TYPE_MCP_WORK)

FhMcpBlock *
fh_mcp_block_new (const FhLanguage *language, const char *code)
{
  FhMcpBlock *block = g_new0 (FhMcpBlock, 1);

  block->language = language;
  block->code = g_strdup (code);
  return block;
}

void
fh_mcp_block_free (FhMcpBlock *block)
{
  g_free (block->code);
  g_free (block);
}

/* Without a workspace that stays, the files are sent again to each block. */
static GPtrArray *
new_files (FhMcpRuns *self)
{
  GPtrArray *files;
  GHashTableIter iter;
  gpointer path;
  gpointer content;

  if (g_hash_table_size (self->files) == 0)
    return NULL;
  files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &path, &content))
    g_ptr_array_add (files, fh_run_file_new (path, content));
  return files;
}

static FhRunRequest *
new_request (FhMcpRuns *self, GError **error)
{
  const FhMcpBlock *block = g_ptr_array_index (self->blocks, self->at);
  const gboolean is_python = g_str_equal (block->language->id, "python");
  g_autoptr (GBytes) source = g_bytes_new (block->code, strlen (block->code));
  g_autoptr (FhRunOptions) options = fh_run_options_copy (self->options);
  g_autoptr (GPtrArray) files = new_files (self);

  /* The option names an interpreter of Python, and lines are those of Python. */
  options->guards.report_lines = is_python;
  if (!is_python)
    g_clear_pointer (&options->interpreter, g_free);
  return fh_run_request_new (&(FhRunRequestInit){ .language = block->language,
                                                  .source = source,
                                                  .files = files,
                                                  .options = options },
                             error);
}

static void
keep_files (FhMcpRuns *self, FhRunResult *result)
{
  FhResultFiles *files = fh_run_result_get_files (result);

  if (fh_mcp_host_keeps_files (self->host))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      if (facts->content != NULL)
        g_hash_table_insert (self->files, g_strdup (facts->path), g_bytes_ref (facts->content));
    }
}

static void
release_session (FhMcpRuns *self)
{
  g_clear_object (&self->run);
  if (self->session != NULL)
    fh_mcp_host_return_session (self->host, g_steal_pointer (&self->session));
}

/* `refusal`: nullable; why the block at which it ended could not be run. */
static void
finish (FhMcpRuns *self, const char *refusal)
{
  const gboolean is_error = refusal != NULL;
  JsonObject *structured;

  release_session (self);
  if (is_error && *self->text->str != '\0')
    g_string_append_c (self->text, '\n');
  if (is_error)
    g_string_append (self->text, refusal);
  if (self->is_list)
    {
      structured = json_object_new ();
      json_object_set_boolean_member (structured,
                                      "success",
                                      !is_error && self->at == self->blocks->len);
      json_object_set_int_member (structured, "blocks", self->blocks->len);
      json_object_set_array_member (structured, "runs", json_array_ref (self->described));
    }
  else
    structured = json_array_get_length (self->described) > 0
                     ? json_object_ref (json_array_get_object_element (self->described, 0))
                     : NULL;
  fh_mcp_work_finish (FH_MCP_WORK (self),
                      fh_mcp_result_new (self->text->str, structured, is_error));
}

static void
append_text (FhMcpRuns *self, JsonObject *described)
{
  const FhMcpBlock *block = g_ptr_array_index (self->blocks, self->at);
  g_autofree char *text = fh_mcp_result_text (described);

  if (self->is_list)
    {
      json_object_set_string_member (described, "language", block->language->id);
      /* Translators: two numbers, then the name of a language. */
      g_string_append_printf (self->text,
                              _ ("%sBlock %u of %u, %s:"),
                              self->text->len > 0 ? "\n" : "",
                              self->at + 1,
                              self->blocks->len,
                              block->language->name);
      g_string_append_c (self->text, '\n');
    }
  g_string_append (self->text, text);
}

static void start_block (FhMcpRuns *self);

/* `id`: of the run in the history, or -1. `problem`: nullable; why it is not there. */
static void
end_block (FhMcpRuns *self, gint64 id, const char *problem)
{
  FhRunResult *result = fh_run_get_result (self->run);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  JsonObject *described = fh_mcp_result_describe_run (result, self->options->show_bytes, id);
  g_autofree char *text = NULL;

  if (self->at == 0 && self->note != NULL)
    fh_mcp_result_add_note (described, self->note);
  if (problem != NULL)
    {
      text = g_strdup_printf (_ ("This run is not in the history: %s"), problem);
      fh_mcp_result_add_note (described, text);
    }
  json_array_add_object_element (self->described, described);
  append_text (self, described);
  if (!fh_run_outcome_has_run (outcome))
    {
      finish (self, "");
      return;
    }
  keep_files (self, result);
  self->at += outcome->status == FH_RUN_STATUS_OK;
  if (outcome->status == FH_RUN_STATUS_OK && self->at < self->blocks->len && !self->is_stopped)
    start_block (self);
  else
    finish (self, NULL);
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhMcpRuns) self = user_data;
  g_autoptr (GError) error = NULL;
  const gint64 id = fh_history_add_finish (FH_HISTORY (source), result, &error);

  end_block (self, id, error != NULL ? error->message : NULL);
}

/* In a later turn, because the sandbox that told of it is not to be replaced now. */
static gboolean
ended_cb (gpointer user_data)
{
  FhMcpRuns *self = user_data;
  FhHistory *history = fh_mcp_host_get_history (self->host);

  self->turn = 0;
  if (history != NULL)
    fh_history_add_async (history,
                          fh_run_get_request (self->run),
                          fh_run_get_result (self->run),
                          NULL,
                          added_cb,
                          g_object_ref (self));
  else
    end_block (self, -1, NULL);
  return G_SOURCE_REMOVE;
}

static void
state_cb (FhRun *run, GParamSpec *pspec, FhMcpRuns *self)
{
  if (fh_run_get_state (run) == FH_RUN_FINISHED && self->turn == 0)
    self->turn =
        g_idle_add_full (G_PRIORITY_DEFAULT, ended_cb, g_object_ref (self), g_object_unref);
}

static void
start_block (FhMcpRuns *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = new_request (self, &error);

  if (request == NULL)
    {
      finish (self, error->message);
      return;
    }
  g_clear_object (&self->run);
  self->run = fh_session_run (self->session, request, NULL, FALSE);
  fh_mcp_work_watch (FH_MCP_WORK (self), self->run);
  g_signal_connect_object (self->run, "notify::state", G_CALLBACK (state_cb), self, 0);
  state_cb (self->run, NULL, self);
}

static gboolean
start_cb (gpointer user_data)
{
  FhMcpRuns *self = user_data;

  self->session = fh_mcp_host_take_session (self->host);
  if (self->is_stopped)
    finish (self, "");
  else
    start_block (self);
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
  if (self->run == NULL)
    return;
  fh_run_stop (self->run);
  if (by_force)
    fh_run_stop (self->run);
}

static char *
dup_progress (FhMcpWork *work)
{
  FhMcpRuns *self = FH_MCP_RUNS (work);

  return self->session != NULL ? fh_session_dup_progress (self->session) : NULL;
}

static void
fh_mcp_runs_finalize (GObject *object)
{
  FhMcpRuns *self = FH_MCP_RUNS (object);

  release_session (self);
  g_ptr_array_unref (self->blocks);
  fh_run_options_free (self->options);
  g_free (self->note);
  g_hash_table_unref (self->files);
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
  self->files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_bytes_unref);
  self->described = json_array_new ();
  self->text = g_string_new (NULL);
}

/* All code, for a person who is asked about it. */
static void
set_code (FhMcpRuns *self)
{
  const FhMcpBlock *first = g_ptr_array_index (self->blocks, 0);
  g_autoptr (GString) code = g_string_new (self->blocks->len > 1 ? NULL : first->code);

  for (guint i = 0; self->blocks->len > 1 && i < self->blocks->len; i++)
    {
      const FhMcpBlock *block = g_ptr_array_index (self->blocks, i);

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
  self->note = g_strdup (note);
  self->is_list = is_list;
  if (fh_mcp_host_keeps_container (host))
    fh_mcp_work_set_key (FH_MCP_WORK (self), FH_MCP_CONTAINER_KEY);
  set_code (self);
  return FH_MCP_WORK (self);
}
