/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "session-answer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-member.h"
#include "json-output.h"
#include "output-cut.h"
#include "run-report.h"
#include "run-result.h"

/* As in data/guest/pictures.py. */
#define MAX_SHOWN 10

/* What the run's object has and a cell's does not need: it is the same for all cells, or told in
 * another way. */
static const char *const left_out[] = { "version", "guards", "streams", "backend", "message" };

JsonObject *
fh_session_answer_new (const char *type, const FhSessionOrder *order)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "type", type);
  if (order != NULL && order->id != NULL)
    json_object_set_member (object, "id", json_node_copy (order->id));
  else
    json_object_set_null_member (object, "id");
  return object;
}

JsonObject *
fh_session_answer_new_error (const FhSessionOrder *order, const char *message)
{
  JsonObject *object = fh_session_answer_new ("error", order);

  json_object_set_string_member (object, "error", message);
  return object;
}

/* Without an answer the interpreter is gone, and the sentence of the result says why: then this is
 * an empty object. (transfer full) */
static JsonObject *
dup_answer (FhStep *step)
{
  JsonObject *answer = fh_step_get_answer (step);

  return answer != NULL ? json_object_ref (answer) : json_object_new ();
}

/* Head and tail of a text. Returns whether something was left out. */
static gboolean
set_cut (JsonObject *object, const char *name, const char *text, guint64 show_bytes)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (FhOutputLog) cut = NULL;
  g_autofree char *shown = NULL;

  if (text == NULL)
    {
      json_object_set_null_member (object, name);
      return FALSE;
    }
  fh_output_log_append (log, FH_STREAM_STDOUT, 0, text, strlen (text));
  cut = fh_output_log_cut (log, show_bytes);
  shown = fh_output_log_dup_text (cut, FH_STREAM_STDOUT);
  json_object_set_string_member (object, name, shown);
  return cut != log;
}

/* The names of new and changed variables, and their short texts. */
static void
add_variables (JsonObject *object, JsonObject *answer, gboolean is_result)
{
  JsonArray *rows = fh_json_get_array (answer, "variables", G_MAXUINT, NULL);
  JsonObject *snapshot = json_object_new ();
  guint64 n_left_out = 0;

  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      JsonNode *node = json_array_get_element (rows, i);
      JsonObject *row = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *name = row != NULL ? fh_json_get_text (row, "name") : NULL;
      const char *text = row != NULL ? fh_json_get_text (row, "repr") : NULL;

      if (name != NULL && text != NULL && *name != '_')
        json_object_set_string_member (snapshot, name, text);
    }
  json_object_set_array_member (object,
                                "variables",
                                rows != NULL ? json_array_ref (rows) : json_array_new ());
  fh_json_get_number (answer, "variables_left_out", G_MAXINT32, &n_left_out, NULL);
  json_object_set_int_member (object, "variables_left_out", (gint64) n_left_out);
  if (is_result)
    json_object_set_object_member (object, "locals_snapshot", snapshot);
  else
    json_object_unref (snapshot);
}

static gboolean
is_file (FhResultFiles *files, const char *path)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (files));

  for (guint i = 0; i < n; i++)
    {
      if (g_str_equal (fh_result_file_get_facts (fh_result_files_get (files, i))->path, path))
        return TRUE;
    }
  return FALSE;
}

/* The files in which the cell's value and figures are, of those that it left. */
static void
add_shown (JsonObject *object, JsonObject *answer, FhRun *run)
{
  JsonArray *names = fh_json_get_array (answer, "shown", MAX_SHOWN, NULL);
  JsonArray *shown = json_array_new ();

  for (guint i = 0; names != NULL && i < json_array_get_length (names); i++)
    {
      JsonNode *node = json_array_get_element (names, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING &&
          is_file (fh_run_get_files (run), json_node_get_string (node)))
        json_array_add_string_element (shown, json_node_get_string (node));
    }
  json_object_set_array_member (object, "shown", shown);
}

static void
add_value (JsonObject *object, JsonObject *answer, JsonObject *truncated, guint64 show_bytes)
{
  const char *text = fh_json_get_text (answer, "value");
  gboolean has_json = FALSE;
  guint64 length = 0;
  gboolean is_cut = set_cut (object, "value", text, show_bytes);

  fh_json_get_bool (answer, "has_json", &has_json, NULL);
  if (has_json && json_object_has_member (answer, "value_json"))
    json_object_set_member (object, "value_json", json_object_dup_member (answer, "value_json"));
  else
    json_object_set_null_member (object, "value_json");
  fh_json_get_number (answer, "value_length", G_MAXINT64, &length, NULL);
  if (text != NULL && (gint64) length > g_utf8_strlen (text, -1))
    is_cut = TRUE;
  json_object_set_boolean_member (truncated, "value", is_cut);
  json_object_set_int_member (truncated, "value_total", (gint64) length);
}

/* The value as JSON in which other types of Python have tags. */
static void
add_tagged (JsonObject *object, JsonObject *answer)
{
  gboolean has_json = FALSE;

  fh_json_get_bool (answer, "has_json", &has_json, NULL);
  if (has_json && json_object_has_member (answer, "value_tagged"))
    json_object_set_member (object,
                            "value_tagged",
                            json_object_dup_member (answer, "value_tagged"));
  else
    json_object_set_null_member (object, "value_tagged");
}

static void
add_exception (JsonObject *object,
               JsonObject *answer,
               JsonObject *truncated,
               FhRunStatus status,
               guint64 show_bytes)
{
  const gboolean is_cut =
      set_cut (object, "exception", fh_json_get_text (answer, "exception"), show_bytes);

  json_object_set_boolean_member (truncated, "exception", is_cut);
  /* A limit and a stop are exceptions in the program, too: what they were is said by our sentence,
   * which is there. */
  if (status != FH_RUN_STATUS_FAILED || fh_json_get_text (answer, "error") == NULL)
    return;
  set_cut (object,
           "error",
           fh_json_get_text (answer, "error"),
           MAX (show_bytes, FH_OUTPUT_CUT_MIN));
  json_object_set_string_member (object, "error_from", "program");
}

void
fh_session_answer_add_cell (JsonObject *object, FhStep *step, guint64 show_bytes)
{
  FhRun *run = fh_step_get_run (step);
  FhRunResult *result = fh_run_get_result (run);
  JsonObject *truncated = fh_run_report_new_truncated (result, show_bytes);
  g_autoptr (JsonObject) answer = dup_answer (step);

  json_object_set_object_member (object, "truncated", truncated);
  add_value (object, answer, truncated, show_bytes);
  add_exception (object,
                 answer,
                 truncated,
                 fh_run_result_get_parts (result)->outcome->status,
                 show_bytes);
  set_cut (object, "final", fh_json_get_text (answer, "final"), show_bytes);
  json_object_set_boolean_member (object, "session_ended", fh_run_get_answer (run) == NULL);
}

static void
add_repairs (JsonObject *object, FhStep *step)
{
  g_auto (GStrv) sentences = fh_step_dup_repairs (step);
  JsonArray *repairs = json_array_new ();

  for (guint i = 0; sentences[i] != NULL; i++)
    json_array_add_string_element (repairs, sentences[i]);
  json_object_set_array_member (object, "repairs", repairs);
}

static gboolean
is_left_out (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    {
      if (g_str_equal (left_out[i], name))
        return TRUE;
    }
  return FALSE;
}

static JsonObject *
new_executed (const FhSessionOrder *order, FhStep *step, guint64 show_bytes)
{
  FhRun *run = fh_step_get_run (step);
  g_autoptr (JsonObject) answer = dup_answer (step);
  g_autoptr (JsonNode) node = fh_run_result_to_json (fh_run_get_result (run), show_bytes);
  JsonObject *whole = json_node_get_object (node);
  g_autoptr (GList) names = json_object_get_members (whole);
  JsonObject *object = fh_session_answer_new ("result", order);

  for (GList *at = names; at != NULL; at = at->next)
    {
      if (!is_left_out (at->data))
        json_object_set_member (object, at->data, json_object_dup_member (whole, at->data));
    }
  fh_session_answer_add_cell (object, step, show_bytes);
  add_tagged (object, answer);
  add_variables (object, answer, TRUE);
  add_shown (object, answer, run);
  add_repairs (object, step);
  if (fh_cell_get_kind (order->cell) == FH_CELL_END)
    json_object_set_boolean_member (object, "session_ended", TRUE);
  return object;
}

JsonObject *
fh_session_answer_new_answer (const FhSessionOrder *order, JsonObject *answer)
{
  static const char *const types[] = {
    [FH_CELL_SET] = "done",
    [FH_CELL_GET] = "variable",
    [FH_CELL_LIST] = "variables",
    [FH_CELL_DECLARE] = "done",
  };
  const FhCellKind kind = fh_cell_get_kind (order->cell);
  g_autoptr (JsonObject) truncated = json_object_new ();
  gboolean success = FALSE, found = FALSE;
  JsonObject *object;

  fh_json_get_bool (answer, "success", &success, NULL);
  if (!success)
    return fh_session_answer_new_error (order,
                                        fh_json_get_text (answer, "error") != NULL
                                            ? fh_json_get_text (answer, "error")
                                            : "The interpreter could not do this.");
  object = fh_session_answer_new (types[kind], order);
  json_object_set_boolean_member (object, "success", TRUE);
  if (kind == FH_CELL_LIST)
    add_variables (object, answer, FALSE);
  if (kind != FH_CELL_GET)
    return object;
  fh_json_get_bool (answer, "found", &found, NULL);
  json_object_set_boolean_member (object, "found", found);
  /* The caller says how much of it is wanted. */
  add_value (object, answer, truncated, 0);
  add_tagged (object, answer);
  json_object_set_int_member (object,
                              "value_total",
                              json_object_get_int_member (truncated, "value_total"));
  return object;
}

JsonObject *
fh_session_answer_new_result (const FhSessionOrder *order, FhStep *step, guint64 show_bytes)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *answer = fh_step_get_answer (step);
  const FhCellKind kind = fh_cell_get_kind (order->cell);

  if (kind == FH_CELL_EXECUTE || kind == FH_CELL_END)
    return new_executed (order, step, show_bytes);
  if (answer == NULL || fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    return fh_session_answer_new_error (order, fh_run_result_get_parts (result)->sentence);
  return fh_session_answer_new_answer (order, answer);
}
