/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-result.h"

#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "readable-text.h"
#include "run-report.h"
#include "run-result.h"
#include "session-answer.h"

/* A model reads them all, so it is told no more. */
#define MAX_ATTEMPTS 50
#define MAX_FILES    200

/* The interpreter tells no more of a session's variables, but a program can say anything. */
#define MAX_VARIABLES  200
#define MAX_DIMENSIONS 20

/* These members are those of the JSON of a run. */
static const char *const run_members[] = {
  "success",   "status",          "sentence",   "advice",
  "exit_code", "signal_name",     "error",      "error_from",
  "timeout",   "memory_exceeded", "started_at", "execution_time",
  "stdout",    "memory_peak",     "stderr",     "tier",
  NULL,
};

static const char *const attempt_members[] = {
  "guard", "verdict", "title", "sentence", "count", "ended_run", "line", "reported_by_program",
  NULL,
};

JsonObject *
fh_mcp_result_new (const char *text, JsonObject *structured, gboolean is_error)
{
  JsonObject *result = json_object_new ();
  JsonObject *block = json_object_new ();
  JsonArray *content = json_array_new ();

  json_object_set_string_member (block, "type", "text");
  json_object_set_string_member (block, "text", text);
  json_array_add_object_element (content, block);
  json_object_set_array_member (result, "content", content);
  if (structured != NULL)
    json_object_set_object_member (result, "structuredContent", structured);
  json_object_set_boolean_member (result, "isError", is_error);
  return result;
}

JsonObject *
fh_mcp_result_new_refusal (const char *text)
{
  return fh_mcp_result_new (text, NULL, TRUE);
}

static void
copy_members (JsonObject *to, JsonObject *from, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (json_object_has_member (from, names[i]))
        json_object_set_member (to, names[i], json_object_dup_member (from, names[i]));
    }
}

static void
add_attempts (JsonObject *object, JsonObject *run)
{
  JsonArray *all = json_object_get_array_member (run, "attempts");
  JsonArray *some = json_array_new ();
  const guint n = json_array_get_length (all);

  for (guint i = 0; i < MIN (n, MAX_ATTEMPTS); i++)
    {
      JsonObject *attempt = json_object_new ();

      copy_members (attempt, json_array_get_object_element (all, i), attempt_members);
      json_array_add_object_element (some, attempt);
    }
  json_object_set_array_member (object, "attempts", some);
  json_object_set_int_member (object,
                              "attempts_stopped",
                              json_object_get_int_member (run, "attempts_stopped"));
  json_object_set_int_member (object,
                              "attempts_left_out",
                              json_object_get_int_member (run, "attempts_dropped") + n -
                                  MIN (n, MAX_ATTEMPTS));
}

static void
add_files (JsonObject *object, FhResultFiles *files)
{
  JsonArray *array = json_array_new ();
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (files));

  for (guint i = 0; i < MIN (n, MAX_FILES); i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);
      const FhResultFileFacts *facts = fh_result_file_get_facts (file);
      JsonObject *one = json_object_new ();

      json_object_set_string_member (one, "path", fh_result_file_get_facts (file)->name);
      json_object_set_int_member (one, "size", (gint64) MIN (facts->size, G_MAXINT64));
      json_object_set_boolean_member (one, "is_changed", facts->is_changed);
      json_array_add_object_element (array, one);
    }
  json_object_set_array_member (object, "files", array);
  json_object_set_int_member (object,
                              "files_left_out",
                              (gint64) fh_result_files_get_facts (files)->n_left_out + n -
                                  MIN (n, MAX_FILES));
}

static JsonObject *
describe (FhRunResult *result, guint64 show_bytes)
{
  g_autoptr (JsonNode) node = fh_run_result_to_json (result, show_bytes);
  JsonObject *run = json_node_get_object (node);
  JsonObject *object = json_object_new ();

  copy_members (object, run, run_members);
  json_object_set_object_member (object,
                                 "truncated",
                                 fh_run_report_new_truncated (result, show_bytes));
  add_attempts (object, run);
  add_files (object, fh_run_result_get_parts (result)->files);
  json_object_set_array_member (object, "notes", json_array_new ());
  return object;
}

JsonObject *
fh_mcp_result_describe_run (FhRunResult *result, guint64 show_bytes, gint64 id)
{
  JsonObject *object = describe (result, show_bytes);
  g_autofree char *uri = g_strdup_printf (FH_MCP_RUN_URI "%" PRId64, id);

  if (id >= 0)
    json_object_set_string_member (object, "resource", uri);
  else
    json_object_set_null_member (object, "resource");
  return object;
}

/* What a program says of a variable, if it has the right form. (transfer full) (nullable) */
static JsonObject *
copy_variable (JsonNode *node)
{
  static const char *const members[] = { "name", "type", "kind", "repr" };
  JsonObject *from = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (JsonObject) to = json_object_new ();
  JsonArray *size = json_array_new ();
  JsonArray *told;

  json_object_set_array_member (to, "size", size);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *text;

      if (from == NULL || !fh_json_get_string (from, members[i], &text, NULL))
        return NULL;
      json_object_set_string_member (to, members[i], text);
    }
  told = fh_json_get_array (from, "size", MAX_DIMENSIONS, NULL);
  for (guint i = 0; told != NULL && i < json_array_get_length (told); i++)
    {
      JsonNode *number = json_array_get_element (told, i);

      if (json_node_get_value_type (number) == G_TYPE_INT64)
        json_array_add_int_element (size, json_node_get_int (number));
    }
  return g_steal_pointer (&to);
}

/* `answer`: nullable; the program chose it, and nothing of it is checked yet. */
static void
add_variables (JsonObject *object, JsonObject *answer)
{
  JsonArray *rows =
      answer != NULL ? fh_json_get_array (answer, "variables", MAX_VARIABLES, NULL) : NULL;
  JsonArray *variables = json_array_new ();
  guint64 n_left_out = 0;

  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      JsonObject *variable = copy_variable (json_array_get_element (rows, i));

      if (variable != NULL)
        json_array_add_object_element (variables, variable);
    }
  if (answer != NULL)
    fh_json_get_number (answer, "variables_left_out", G_MAXINT32, &n_left_out, NULL);
  json_object_set_array_member (object, "variables", variables);
  json_object_set_int_member (object, "variables_left_out", (gint64) n_left_out);
}

JsonObject *
fh_mcp_result_describe_cell (FhStep *step, guint64 show_bytes)
{
  JsonObject *object = describe (fh_run_get_result (fh_step_get_run (step)), show_bytes);
  JsonObject *answer = fh_step_get_answer (step);

  g_auto (GStrv) repairs = fh_step_dup_repairs (step);

  fh_session_answer_add_cell (object, step, show_bytes);
  add_variables (object, answer);
  for (guint i = 0; repairs[i] != NULL; i++)
    fh_mcp_result_add_note (object, repairs[i]);
  return object;
}

JsonObject *
fh_mcp_result_describe_variables (FhStep *step)
{
  FhRunResult *result = fh_run_get_result (fh_step_get_run (step));
  JsonObject *answer = fh_step_get_answer (step);
  JsonObject *object;

  if (answer == NULL || fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    return NULL;
  object = json_object_new ();
  add_variables (object, answer);
  return object;
}

void
fh_mcp_result_add_note (JsonObject *described, const char *note)
{
  json_array_add_string_element (json_object_get_array_member (described, "notes"), note);
}

/* "" if there is none. */
static const char *
get_words (JsonObject *object, const char *name)
{
  const char *text = fh_json_get_text (object, name);

  return text != NULL ? text : "";
}

static void
append_line (GString *text, const char *line)
{
  if (*line != '\0')
    g_string_append_printf (text, "%s\n", line);
}

static void
append_attempts (GString *text, JsonObject *described)
{
  JsonArray *attempts = json_object_get_array_member (described, "attempts");
  const gint64 n_stopped = json_object_get_int_member (described, "attempts_stopped");
  gint64 n = 0;

  if (n_stopped > 0)
    append_line (text, "What it tried and a guard blocked:");
  for (guint i = 0; i < json_array_get_length (attempts); i++)
    {
      JsonObject *attempt = json_array_get_object_element (attempts, i);

      if (g_str_equal (get_words (attempt, "verdict"), "observed") ||
          json_object_get_boolean_member (attempt, "ended_run"))
        continue;
      n++;
      g_string_append_printf (text,
                              "- %s: %s\n",
                              get_words (attempt, "title"),
                              get_words (attempt, "sentence"));
    }
  if (n_stopped > n)
    g_string_append_printf (text, "- and %" PRId64 " more\n", n_stopped - n);
}

static void
append_files (GString *text, JsonObject *described)
{
  JsonArray *files = json_object_get_array_member (described, "files");
  const gint64 n_left_out = json_object_get_int_member (described, "files_left_out");
  const guint n = json_array_get_length (files);

  if (n == 0)
    return;
  append_line (text, "Files left behind:");
  for (guint i = 0; i < n; i++)
    {
      JsonObject *file = json_array_get_object_element (files, i);
      g_autofree char *size =
          g_format_size_full ((guint64) json_object_get_int_member (file, "size"),
                              G_FORMAT_SIZE_IEC_UNITS);

      g_string_append_printf (text, "- %s (%s)\n", get_words (file, "path"), size);
    }
  if (n_left_out > 0)
    g_string_append_printf (text, "- and %" PRId64 " more\n", n_left_out);
}

/* What a program wrote ends with a word that it cannot have known, so that it cannot look like what
 * is said about it. */
static void
append_part (GString *text, JsonObject *described, const char *name)
{
  JsonObject *truncated = json_object_get_object_member (described, "truncated");
  g_autofree char *total = g_strconcat (name, "_total", NULL);
  const char *part = get_words (described, name);
  const guint32 word = g_random_int ();

  if (*part == '\0')
    return;
  g_string_append_printf (text, "%s, up to the line “end of %s %08x”", name, name, word);
  if (json_object_get_boolean_member_with_default (truncated, name, FALSE))
    g_string_append_printf (text,
                            " (cut: this is the beginning and the end of %" PRId64 ")",
                            json_object_get_int_member_with_default (truncated, total, 0));
  g_string_append_printf (text,
                          ":\n%s%send of %s %08x\n",
                          part,
                          g_str_has_suffix (part, "\n") ? "" : "\n",
                          name,
                          word);
}

char *
fh_mcp_result_text (JsonObject *described)
{
  GString *text = g_string_new (NULL);
  JsonArray *notes = json_object_get_array_member (described, "notes");

  append_line (text, get_words (described, "sentence"));
  append_line (text, get_words (described, "advice"));
  for (guint i = 0; i < json_array_get_length (notes); i++)
    append_line (text, json_array_get_string_element (notes, i));
  append_attempts (text, described);
  append_files (text, described);
  append_part (text, described, "value");
  append_part (text, described, "stdout");
  append_part (text, described, "stderr");
  append_part (text, described, "exception");
  append_part (text, described, "final");
  return g_string_free (text, FALSE);
}

char *
fh_mcp_result_variables_text (JsonObject *described)
{
  JsonArray *variables = json_object_get_array_member (described, "variables");
  const gint64 n_left_out = json_object_get_int_member (described, "variables_left_out");
  const guint n = json_array_get_length (variables);
  GString *text = g_string_new (n == 0 ? "There are no variables." : NULL);

  for (guint i = 0; i < n; i++)
    {
      JsonObject *variable = json_array_get_object_element (variables, i);
      g_autofree char *line = g_strdup_printf ("%s: %s = %s",
                                               get_words (variable, "name"),
                                               get_words (variable, "type"),
                                               get_words (variable, "repr"));
      g_autofree char *safe = fh_readable_text_new (line, strlen (line));

      append_line (text, safe);
    }
  if (n_left_out > 0)
    g_string_append_printf (text, "- and %" PRId64 " more\n", n_left_out);
  return g_string_free (text, FALSE);
}
