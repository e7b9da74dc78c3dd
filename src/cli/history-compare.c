/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history-compare.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "json-output.h"
#include "terminal-text.h"
#include "valid-text.h"

static char *
run_name (const FhHistoryRun *run)
{
  g_autofree char *title = fh_terminal_line (fh_history_entry_get_title (run->entry));

  /* Translators: a number, then the title of a run. */
  return g_strdup_printf (_ ("Run %" PRId64 ": %s"), fh_history_entry_get_id (run->entry), title);
}

/* The bytes of programs, made safe. */
static void
append_diff (GString *text, FhTextDiff *diff)
{
  GString *unified = fh_text_diff_to_unified (diff, "", "");
  /* Without the names of both files. */
  const char *body = unified->str + strlen ("--- \n+++ \n");
  g_autofree char *safe = fh_terminal_text (body, unified->len - (gsize) (body - unified->str));

  g_string_append (text, safe);
  g_string_free (unified, TRUE);
}

static void
append_pair (GString *text, const FhComparedPair *pair)
{
  for (guint side = 0; side < 2; side++)
    {
      g_autofree char *line = fh_compared_pair_dup_text (pair, side);
      g_autofree char *safe = line != NULL ? fh_terminal_line (line) : NULL;

      if (safe != NULL)
        g_string_append_printf (text, "%c%s\n", side == 0 ? '-' : '+', safe);
    }
}

static void
append_part (GString *text, FhRunComparison *comparison, FhComparedPart part)
{
  GArray *pairs = fh_run_comparison_get_pairs (comparison, part);
  FhTextDiff *diff = fh_run_comparison_get_diff (comparison, part);

  g_string_append_printf (text, "\n%s:\n", fh_compared_part_title (part));
  if (diff != NULL)
    append_diff (text, diff);
  for (guint i = 0; i < pairs->len; i++)
    {
      const FhComparedPair *pair = &g_array_index (pairs, FhComparedPair, i);

      if (pair->differs || part == FH_COMPARED_FIGURES)
        append_pair (text, pair);
    }
}

/* What is the same is only named. */
static void
append_same (GString *text, FhRunComparison *comparison)
{
  g_autoptr (GString) same = g_string_new (NULL);

  for (guint part = 0; part < FH_COMPARED_FIGURES; part++)
    {
      if (!fh_run_comparison_differs (comparison, part))
        g_string_append_printf (same,
                                "%s%s",
                                same->len > 0 ? ", " : "",
                                fh_compared_part_title (part));
    }
  if (same->len > 0)
    {
      g_string_append_c (text, '\n');
      /* Translators: a list such as “Source, Output” */
      g_string_append_printf (text, _ ("The same: %s"), same->str);
      g_string_append_c (text, '\n');
    }
}

char *
fh_history_compare_text (FhRunComparison *comparison, const FhHistoryRun *runs)
{
  g_autofree char *old_name = run_name (&runs[0]);
  g_autofree char *new_name = run_name (&runs[1]);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "--- %s\n+++ %s\n", old_name, new_name);
  for (guint part = 0; part < FH_N_COMPARED; part++)
    {
      if (part == FH_COMPARED_FIGURES || fh_run_comparison_differs (comparison, part))
        append_part (text, comparison, part);
    }
  append_same (text, comparison);
  return g_string_free (text, FALSE);
}

/* "a" and "b": null where a run has none. */
static void
set_both (JsonObject *object, const FhComparedPair *pair, char *(*func) (gpointer item))
{
  const char *const names[] = { "a", "b" };

  for (guint side = 0; side < 2; side++)
    {
      g_autofree char *text = pair->items[side] != NULL ? func (pair->items[side]) : NULL;

      fh_json_set_text (object, names[side], text);
    }
}

static char *
dup_status (gpointer item)
{
  return g_strdup (fh_run_status_to_string (fh_run_result_get_status (item)));
}

static char *
dup_level (gpointer item)
{
  return g_strdup (fh_guard_level_to_string (fh_guard_state_get_level (item)));
}

static void
add_counts (JsonObject *object, const FhComparedPair *pair)
{
  FhAttempt *any = FH_ATTEMPT (pair->items[0] != NULL ? pair->items[0] : pair->items[1]);
  const FhAttemptFacts *facts = fh_attempt_get_facts (any);
  const char *const names[] = { "a", "b" };

  json_object_set_string_member (object, "guard", fh_guard_to_string (facts->guard));
  json_object_set_string_member (object, "operation", facts->operation);
  json_object_set_string_member (object, "object", facts->object);
  json_object_set_string_member (object, "verdict", fh_verdict_to_string (facts->verdict));
  json_object_set_boolean_member (object, "reported_by_program", facts->is_reported);
  for (guint side = 0; side < 2; side++)
    {
      GObject *item = pair->items[side];

      json_object_set_int_member (object,
                                  names[side],
                                  item != NULL ? fh_attempt_get_facts (FH_ATTEMPT (item))->count
                                               : 0);
    }
}

static void
add_option (JsonObject *object, const FhComparedPair *pair)
{
  static const char *const inputs[] = { "language", "arguments", "stdin" };
  const char *const names[] = { "a", "b" };
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  json_object_set_string_member (object,
                                 "option",
                                 pair->what < n ? rows[pair->what].key : inputs[pair->what - n]);
  for (guint side = 0; side < 2; side++)
    {
      FhRunRequest *request = FH_RUN_REQUEST (pair->items[side]);
      /* The values of variables may be secret. */
      gboolean is_plain =
          pair->what < n && !g_str_equal (rows[pair->what].key, "container.environment");
      g_autofree char *text =
          is_plain ? fh_run_option_format (&rows[pair->what], fh_run_request_get_options (request))
                   : fh_compared_pair_dup_text (pair, side);
      g_autofree char *valid = g_utf8_make_valid (text, -1);

      json_object_set_string_member (object, names[side], valid);
    }
}

static void
add_file (JsonObject *object, const FhComparedPair *pair)
{
  GObject *any = pair->items[0] != NULL ? pair->items[0] : pair->items[1];
  const char *change = "changed";

  if (!pair->differs)
    change = "same";
  else if (pair->items[0] == NULL)
    change = "added";
  else if (pair->items[1] == NULL)
    change = "removed";
  json_object_set_string_member (object, "name", fh_result_file_get_name (FH_RESULT_FILE (any)));
  json_object_set_string_member (object, "change", change);
}

static void
add_figures (JsonObject *object, const FhComparedPair *pair)
{
  const char *const names[] = { "a", "b" };

  json_object_set_string_member (object, "figure", fh_figure_to_string (pair->what));
  for (guint side = 0; side < 2; side++)
    {
      guint64 value = fh_figure_get (FH_RUN_RESULT (pair->items[side]), pair->what);

      json_object_set_int_member (object, names[side], (gint64) MIN (value, G_MAXINT64));
    }
}

static JsonObject *
pair_to_json (const FhComparedPair *pair)
{
  JsonObject *object = json_object_new ();

  switch (pair->part)
    {
    case FH_COMPARED_ENDING:
      set_both (object, pair, dup_status);
      break;
    case FH_COMPARED_OPTIONS:
      add_option (object, pair);
      break;
    case FH_COMPARED_ATTEMPTS:
      add_counts (object, pair);
      break;
    case FH_COMPARED_GUARDS:
      json_object_set_string_member (object, "guard", fh_guard_to_string (pair->what));
      set_both (object, pair, dup_level);
      break;
    case FH_COMPARED_FILES:
      add_file (object, pair);
      break;
    case FH_COMPARED_FIGURES:
      add_figures (object, pair);
      break;
    case FH_COMPARED_SOURCE:
    case FH_COMPARED_OUTPUT:
    case FH_COMPARED_ERRORS:
    case FH_N_COMPARED:
    default:
      break;
    }
  json_object_set_boolean_member (object, "differs", pair->differs);
  return object;
}

static JsonObject *
part_to_json (FhRunComparison *comparison, FhComparedPart part)
{
  GArray *pairs = fh_run_comparison_get_pairs (comparison, part);
  FhTextDiff *diff = fh_run_comparison_get_diff (comparison, part);
  JsonObject *object = json_object_new ();
  JsonArray *array;

  json_object_set_boolean_member (object, "differs", fh_run_comparison_differs (comparison, part));
  if (diff != NULL)
    {
      GString *unified = fh_text_diff_to_unified (diff, "a", "b");
      g_autofree char *valid = fh_valid_text_new (unified->str, unified->len);

      json_object_set_string_member (object, "diff", valid);
      g_string_free (unified, TRUE);
      return object;
    }
  array = json_array_new ();
  for (guint i = 0; i < pairs->len; i++)
    json_array_add_object_element (array, pair_to_json (&g_array_index (pairs, FhComparedPair, i)));
  json_object_set_array_member (object, "items", array);
  return object;
}

char *
fh_history_compare_json (FhRunComparison *comparison, const FhHistoryRun *runs)
{
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_int_member (object, "a", fh_history_entry_get_id (runs[0].entry));
  json_object_set_int_member (object, "b", fh_history_entry_get_id (runs[1].entry));
  json_object_set_boolean_member (object, "same", fh_run_comparison_is_same (comparison));
  for (guint part = 0; part < FH_N_COMPARED; part++)
    json_object_set_object_member (object,
                                   fh_compared_part_to_string (part),
                                   part_to_json (comparison, part));
  return fh_json_object_to_text (object, TRUE);
}
