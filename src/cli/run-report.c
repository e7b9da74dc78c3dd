/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-report.h"

#include "json-output.h"
#include "run-result.h"

struct _FhRunReport
{
  const FhRunOptions *options;
  GPtrArray *blocks;
  JsonArray *told; /* the blocks that were reached */
  char *refusal;   /* nullable */
};

static void
set_switch (JsonObject *object, const char *name, const gboolean *is_on)
{
  if (is_on != NULL)
    json_object_set_boolean_member (object, name, *is_on);
  else
    json_object_set_null_member (object, name);
}

/* What is not known stays null. */
static JsonNode *
container_to_json (const FhContainerOptions *options, FhSandbox *sandbox)
{
  const FhEngineFacts *engine = fh_sandbox_get_engine (sandbox);
  g_autoptr (JsonObject) object = json_object_new ();

  fh_json_set_text (object,
                    "engine",
                    engine != NULL ? fh_engine_kind_to_string (engine->kind) : NULL);
  fh_json_set_text (object, "version", engine != NULL ? engine->version : NULL);
  set_switch (object, "rootless", engine != NULL ? &engine->is_rootless : NULL);
  set_switch (object, "remote", engine != NULL ? &engine->is_remote : NULL);
  fh_json_set_text (object, "image", fh_container_options_image (options));
  fh_json_set_text (object, "name", fh_sandbox_get_name (sandbox));
  set_switch (object, "kept", &options->is_kept);
  return json_node_init_object (json_node_alloc (), object);
}

JsonNode *
fh_run_report_new_run (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox)
{
  JsonNode *node = fh_run_result_to_json (result, options->show_bytes);

  json_object_set_member (json_node_get_object (node),
                          "container",
                          options->in_container && sandbox != NULL
                              ? container_to_json (&options->container, sandbox)
                              : json_node_init_null (json_node_alloc ()));
  return node;
}

JsonObject *
fh_run_report_new_truncated (FhRunResult *result, guint64 show_bytes)
{
  static const struct
  {
    FhStream stream;
    const char *name, *total;
  } streams[] = {
    { FH_STREAM_STDOUT, "stdout", "stdout_total" },
    { FH_STREAM_STDERR, "stderr", "stderr_total" },
  };
  FhOutputLog *log = fh_run_result_get_parts (result)->output;
  JsonObject *object = json_object_new ();

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      const guint64 kept = fh_output_log_get_kept (log, streams[i].stream);
      const guint64 total = fh_output_log_get_total (log, streams[i].stream);

      json_object_set_boolean_member (object,
                                      streams[i].name,
                                      kept < total || (show_bytes > 0 && kept > show_bytes));
      json_object_set_int_member (object, streams[i].total, (gint64) total);
    }
  return object;
}

gboolean
fh_run_report_print (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox)
{
  g_autoptr (JsonNode) node = fh_run_report_new_run (result, options, sandbox);

  return fh_print_json (json_node_get_object (node), FALSE);
}

/* (transfer full) */
static JsonObject *
describe (const FhAnswerBlock *block)
{
  JsonObject *object = json_object_new ();
  JsonArray *repairs = json_array_new ();
  g_auto (GStrv) sentences = fh_answer_block_dup_repairs (block);

  json_object_set_int_member (object, "line", block->line);
  fh_json_set_text (object, "word", block->word);
  fh_json_set_text (object, "language", block->language != NULL ? block->language->id : NULL);
  json_object_set_boolean_member (object, "is_guess", block->is_guess);
  json_object_set_string_member (object, "action", fh_block_action_to_string (block->action));
  fh_json_set_text (object, "file_name", block->file_name);
  for (guint i = 0; sentences[i] != NULL; i++)
    json_array_add_string_element (repairs, sentences[i]);
  json_object_set_array_member (object, "repairs", repairs);
  return object;
}

/* Takes the result. `result`, `message`: nullable. */
static void
tell (FhRunReport *self,
      const FhAnswerBlock *block,
      const char *state,
      JsonNode *result,
      const char *message)
{
  JsonObject *object = describe (block);

  json_object_set_string_member (object, "state", state);
  json_object_set_member (object,
                          "result",
                          result != NULL ? result : json_node_init_null (json_node_alloc ()));
  fh_json_set_text (object, "message", message);
  json_array_add_object_element (self->told, object);
}

void
fh_run_report_take (FhRunReport *self, FhStep *step, FhSandbox *sandbox)
{
  const FhAnswerBlock *block = fh_step_get_block (step);
  const FhStepState state = fh_step_get_state (step);
  const char *note = fh_step_get_note (step);

  if (state == FH_STEP_REFUSED)
    self->refusal = g_strdup (note);
  if (block != NULL && state == FH_STEP_FINISHED)
    tell (
        self,
        block,
        "run",
        fh_run_report_new_run (fh_run_get_result (fh_step_get_run (step)), self->options, sandbox),
        note);
  else if (block != NULL && (state == FH_STEP_SAVED || state == FH_STEP_REFUSED))
    tell (self, block, state == FH_STEP_SAVED ? "saved" : "refused", NULL, note);
}

/* The members have the names and the meaning that they have for one run. */
static void
tell_sum (FhRunReport *self, FhSeries *series, JsonObject *object)
{
  const FhRunOutcome outcome = fh_series_get_outcome (series);
  g_autofree char *sentence = fh_run_outcome_sentence (&outcome);
  const char *error = self->refusal != NULL ? self->refusal : sentence;

  json_object_set_string_member (object, "status", fh_run_status_to_string (outcome.status));
  json_object_set_boolean_member (object, "success", outcome.status == FH_RUN_STATUS_OK);
  if (outcome.exit_code >= 0)
    json_object_set_int_member (object, "exit_code", outcome.exit_code);
  else
    json_object_set_null_member (object, "exit_code");
  json_object_set_double_member (object, "execution_time", (double) outcome.wall_us / 1e6);
  fh_json_set_text (object, "error", outcome.status != FH_RUN_STATUS_OK ? error : NULL);
}

/* Blocks that were not reached are told of, too. */
gboolean
fh_run_report_print_blocks (FhRunReport *self, FhSeries *series, int exit_status)
{
  g_autoptr (JsonObject) object = json_object_new ();

  for (guint i = json_array_get_length (self->told); i < self->blocks->len; i++)
    tell (self, self->blocks->pdata[i], "not-run", NULL, NULL);
  json_object_set_int_member (object, "exit_status", exit_status);
  tell_sum (self, series, object);
  json_object_set_array_member (object, "blocks", json_array_ref (self->told));
  return fh_print_json (object, FALSE);
}

FhRunReport *
fh_run_report_new (const FhRunOptions *options, GPtrArray *blocks)
{
  FhRunReport *self = g_new0 (FhRunReport, 1);

  self->options = options;
  self->blocks = blocks;
  self->told = json_array_new ();
  return self;
}

void
fh_run_report_free (FhRunReport *self)
{
  json_array_unref (self->told);
  g_free (self->refusal);
  g_free (self);
}
