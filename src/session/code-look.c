/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "code-look.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "json-guard.h"
#include "json-member.h"
#include "look-resources.h"
#include "run-error.h"

#define MAX_ANSWER ((gsize) 1 << 20)
/* Of each kind; look.py tells no more. */
#define MAX_ROWS    200
#define MAX_REACHES 4
#define WALL_MS     10000

/* Options about code that is run, and about what it needs. */
static const char *const left_out[] = {
  "guards.report_lines",   "guards.limit_functions", "guards.imports",
  "guards.max_operations", "guards.allow_hosts",
};

FhRunRequest *
fh_code_look_new_request (const char *code, const FhRunOptions *options, GError **error)
{
  g_autoptr (GBytes) source = g_resource_lookup_data (fh_look_get_resource (),
                                                      "/io/github/fumehood/session/look.py",
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE,
                                                      NULL);
  g_autoptr (GBytes) input = g_bytes_new (code, strlen (code));
  g_autoptr (FhRunOptions) own = fh_run_options_copy (options);
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();

  if (strlen (code) > FH_CODE_LOOK_MAX)
    {
      fh_run_error_refuse (error, "%s", _ ("The code is too long."));
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
    fh_run_option_copy (fh_run_option_find (left_out[i]), own, defaults);
  own->guards.watch = FH_WATCH_OFF;
  own->guards.no_files = TRUE;
  if (own->limits.wall_ms == 0 || own->limits.wall_ms > WALL_MS)
    own->limits.wall_ms = WALL_MS;
  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .standard_input = input,
                                                  .options = own },
                             error);
}

/* A row whose members are texts, and its line. (transfer full) (nullable) */
static JsonObject *
copy_row (JsonNode *node, const char *const *texts)
{
  JsonObject *from = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  g_autoptr (JsonObject) to = json_object_new ();
  guint64 line;

  if (from == NULL || !fh_json_get_number (from, "line", G_MAXINT32, &line, NULL))
    return NULL;
  json_object_set_int_member (to, "line", (gint64) line);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      const char *text;

      if (!fh_json_get_string (from, texts[i], &text, NULL))
        return NULL;
      json_object_set_string_member (to, texts[i], text);
    }
  return g_steal_pointer (&to);
}

static gboolean
copy_reaches (JsonObject *to, JsonNode *from)
{
  static const char *const known[] = { "network", "processes", "files", "native", NULL };
  JsonArray *reaches = json_array_new ();
  g_auto (GStrv) words = NULL;

  json_object_set_array_member (to, "reaches", reaches);
  if (!fh_json_get_strings (json_node_get_object (from), "reaches", MAX_REACHES, &words, NULL))
    return FALSE;
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (!g_strv_contains (known, words[i]))
        return FALSE;
      json_array_add_string_element (reaches, words[i]);
    }
  return TRUE;
}

static gboolean
copy_rows (JsonObject *to, JsonObject *from, const char *name, const char *const *texts)
{
  JsonArray *rows = fh_json_get_array (from, name, MAX_ROWS, NULL);
  JsonArray *copies = json_array_new ();

  json_object_set_array_member (to, name, copies);
  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      JsonNode *row = json_array_get_element (rows, i);
      JsonObject *copy = copy_row (row, texts);

      if (copy == NULL)
        return FALSE;
      json_array_add_object_element (copies, copy);
      if (g_str_equal (name, "imports") && !copy_reaches (copy, row))
        return FALSE;
    }
  return rows != NULL;
}

/* Our own program wrote it, but in a sandbox in which hostile text was read. */
JsonObject *
fh_code_look_read (FhRunResult *result)
{
  static const char *const import[] = { "module", NULL };
  static const char *const call[] = { "name", "why", NULL };
  static const char *const sign[] = { "sign", NULL };
  static const char *const fault[] = { "message", NULL };
  g_autofree char *text =
      fh_output_log_dup_text (fh_run_result_get_output (result), FH_STREAM_STDOUT);
  g_autoptr (JsonObject) from = fh_json_guard_parse (text, strlen (text), MAX_ANSWER, NULL);
  g_autoptr (JsonObject) to = json_object_new ();
  JsonObject *error = NULL;
  guint64 lines;
  guint64 n_left_out;

  if (from == NULL || fh_run_result_get_status (result) != FH_RUN_STATUS_OK ||
      !json_object_has_member (from, "syntax_error") ||
      !fh_json_get_number (from, "lines", G_MAXINT32, &lines, NULL) ||
      !fh_json_get_number (from, "left_out", G_MAXINT32, &n_left_out, NULL) ||
      !copy_rows (to, from, "imports", import) || !copy_rows (to, from, "calls", call) ||
      !copy_rows (to, from, "signs", sign))
    return NULL;
  json_object_set_int_member (to, "lines", (gint64) lines);
  json_object_set_int_member (to, "left_out", (gint64) n_left_out);
  if (!fh_json_is_null (from, "syntax_error"))
    error = copy_row (json_object_get_member (from, "syntax_error"), fault);
  if (error != NULL)
    json_object_set_object_member (to, "syntax_error", error);
  else
    json_object_set_null_member (to, "syntax_error");
  return g_steal_pointer (&to);
}

static const char *
text_of (JsonObject *row, const char *name)
{
  return json_object_get_string_member (row, name);
}

static gint64
line_of (JsonObject *row)
{
  return json_object_get_int_member (row, "line");
}

/* A heading and its rows, if there are any. */
static void
append_rows (GString *text,
             JsonObject *found,
             const char *rows_name,
             const char *heading,
             const char *name,
             const char *why)
{
  JsonArray *rows = json_object_get_array_member (found, rows_name);

  if (json_array_get_length (rows) > 0)
    g_string_append_printf (text, "%s\n", heading);
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      JsonArray *reaches = why == NULL && json_object_has_member (row, "reaches")
                               ? json_object_get_array_member (row, "reaches")
                               : NULL;

      g_string_append_printf (text, "- %" PRId64 ": %s", line_of (row), text_of (row, name));
      if (why != NULL)
        g_string_append_printf (text, ": %s", text_of (row, why));
      for (guint j = 0; reaches != NULL && j < json_array_get_length (reaches); j++)
        g_string_append_printf (text,
                                "%s%s",
                                j == 0 ? ": " : ", ",
                                json_array_get_string_element (reaches, j));
      g_string_append_c (text, '\n');
    }
}

char *
fh_code_look_text (JsonObject *found)
{
  GString *text = g_string_new (NULL);
  const gint64 n_left_out = json_object_get_int_member (found, "left_out");

  if (!fh_json_is_null (found, "syntax_error"))
    {
      JsonObject *error = json_object_get_object_member (found, "syntax_error");

      /* Translators: the number of a line, then what Python says of it. */
      g_string_append_printf (text,
                              _ ("This is not Python: line %" PRId64 ": %s"),
                              line_of (error),
                              text_of (error, "message"));
      g_string_append_c (text, '\n');
    }
  append_rows (text, found, "imports", _ ("Imports by line, and what they reach:"), "module", NULL);
  append_rows (text, found, "calls", _ ("Calls that are worth a look:"), "name", "why");
  append_rows (text, found, "signs", _ ("What makes it hard to read:"), "sign", NULL);
  if (n_left_out > 0)
    g_string_append_printf (text, _ ("- and %" PRId64 " more\n"), n_left_out);
  if (text->len == 0)
    g_string_append (text, _ ("No imports, and no calls that stand out."));
  return g_string_free (text, FALSE);
}
