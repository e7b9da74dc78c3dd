/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history-text.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#include "attempt-text.h"
#include "json-output.h"
#include "run-request.h"
#include "run-result.h"
#include "terminal-text.h"
#include "terminal.h"

void
fh_history_run_clear (FhHistoryRun *run)
{
  g_clear_object (&run->entry);
  g_clear_object (&run->request);
  g_clear_object (&run->result);
}

static char *
local_time (GDateTime *moment)
{
  g_autoptr (GDateTime) local = g_date_time_to_local (moment);

  return g_date_time_format (local, "%Y-%m-%d %H:%M:%S");
}

static const char *
language_name (FhHistoryEntry *entry)
{
  const FhLanguage *language = fh_history_entry_get_language (entry);

  return language ? language->name : "?";
}

#define STATUS_WIDTH   22
#define LANGUAGE_WIDTH 12

static FhColor
status_color (FhRunStatus status)
{
  FhRunSeverity severity = fh_run_status_severity (status);

  return severity == FH_RUN_SEVERITY_GOOD      ? FH_COLOR_GOOD
         : severity == FH_RUN_SEVERITY_PROGRAM ? FH_COLOR_WARNING
                                               : FH_COLOR_BAD;
}

static void
append_header (GString *text)
{
  g_string_append (text, fh_color_begin (FH_COLOR_HEADING, STDOUT_FILENO));
  g_string_append_printf (text, "%6s  ", _ ("ID"));
  fh_terminal_append_cell (text, _ ("STARTED"), 21);
  fh_terminal_append_cell (text, _ ("LANGUAGE"), LANGUAGE_WIDTH);
  fh_terminal_append_cell (text, _ ("RESULT"), STATUS_WIDTH);
  /* Translators: a heading over the number of attempts that a guard stopped */
  fh_terminal_append_cell (text, _ ("BLOCKED"), 9);
  g_string_append_printf (text, "%11s  %s", _ ("TIME"), _ ("TITLE"));
  g_string_append_printf (text, "%s\n", fh_color_end (STDOUT_FILENO));
}

static void
append_entry (GString *text, FhHistoryEntry *entry)
{
  FhRunStatus status = fh_history_entry_get_status (entry);
  guint n_stopped = fh_history_entry_get_n_stopped (entry);
  g_autofree char *stopped = n_stopped > 0 ? g_strdup_printf ("%u", n_stopped) : g_strdup ("");
  g_autofree char *when = local_time (fh_history_entry_get_started_at (entry));
  g_autofree char *title = fh_terminal_line (fh_history_entry_get_title (entry));

  g_string_append_printf (text, "%6" PRId64 "  %s  ", fh_history_entry_get_id (entry), when);
  fh_terminal_append_cell (text, language_name (entry), LANGUAGE_WIDTH);
  g_string_append (text, fh_color_begin (status_color (status), STDOUT_FILENO));
  fh_terminal_append_cell (text, fh_run_status_title (status), STATUS_WIDTH);
  g_string_append (text, fh_color_end (STDOUT_FILENO));
  fh_terminal_append_cell (text, stopped, 9);
  g_string_append_printf (text,
                          "%9.3f s  %s%s\n",
                          (double) fh_history_entry_get_wall_us (entry) / 1e6,
                          fh_history_entry_get_pinned (entry) ? "★ " : "",
                          title);
}

char *
fh_history_text_list (GPtrArray *entries)
{
  GString *text = g_string_new (NULL);

  if (entries->len > 0)
    append_header (text);
  for (guint i = 0; i < entries->len; i++)
    append_entry (text, g_ptr_array_index (entries, i));
  return g_string_free (text, FALSE);
}

static JsonObject *
entry_to_json (FhHistoryEntry *entry)
{
  g_autofree char *when = g_date_time_format_iso8601 (fh_history_entry_get_started_at (entry));
  const FhLanguage *language = fh_history_entry_get_language (entry);
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "id", fh_history_entry_get_id (entry));
  json_object_set_string_member (object, "title", fh_history_entry_get_title (entry));
  json_object_set_string_member (object, "started_at", when);
  json_object_set_string_member (object,
                                 "status",
                                 fh_run_status_to_string (fh_history_entry_get_status (entry)));
  fh_json_set_text (object, "language", language != NULL ? language->id : NULL);
  json_object_set_double_member (object,
                                 "execution_time",
                                 (double) fh_history_entry_get_wall_us (entry) / 1e6);
  json_object_set_boolean_member (object, "pinned", fh_history_entry_get_pinned (entry));
  json_object_set_int_member (object, "attempts_stopped", fh_history_entry_get_n_stopped (entry));
  json_object_set_string_member (object, "snippet", fh_history_entry_get_snippet (entry));
  if (fh_history_entry_get_n_samples (entry) > 0)
    json_object_set_int_member (object, "samples", fh_history_entry_get_n_samples (entry));
  return object;
}

char *
fh_history_text_list_json (GPtrArray *entries)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *runs = json_array_new ();

  for (guint i = 0; i < entries->len; i++)
    json_array_add_object_element (runs, entry_to_json (g_ptr_array_index (entries, i)));
  json_object_set_array_member (object, "runs", runs);
  return fh_json_object_to_text (object, TRUE);
}

static void
append_field (GString *text, const char *name, const char *value)
{
  g_string_append (text, "  ");
  fh_terminal_append_cell (text, name, 16);
  g_string_append_printf (text, "%s\n", value);
}

static void
append_usage (GString *text, const FhRunOutcome *outcome)
{
  g_autofree char *memory = fh_run_limits_format_size (outcome->memory_peak);
  g_autofree char *time =
      g_strdup_printf (_ ("%.3f s, CPU %.3f s"),
                       (double) outcome->wall_us / 1e6,
                       (double) (outcome->cpu_user_us + outcome->cpu_system_us) / 1e6);

  append_field (text, _ ("Time"), time);
  if (outcome->memory_peak > 0)
    append_field (text, _ ("Memory"), memory);
}

static void
append_safe_field (GString *text, const char *name, const char *value)
{
  g_autofree char *safe = fh_terminal_line (value);

  append_field (text, name, safe);
}

/* Options that differ from the defaults. Tier and missing guards are shown from the result, because
 * they can differ from the request. */
static void
append_options (GString *text, const FhRunOptions *options)
{
  g_autoptr (FhRunOptions) shown = fh_run_options_copy (options);
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();
  g_autofree char *container = NULL;
  g_autofree char *others = NULL;
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      if (rows[i].flags & FH_OPTION_NOT_IN_DRAFTS)
        fh_run_option_copy (&rows[i], shown, defaults);
    }
  shown->in_container = FALSE;
  others = fh_run_options_describe (shown);
  if (*others != '\0')
    append_safe_field (text, _ ("Options"), others);
  if (!options->in_container)
    return;
  container = fh_container_options_describe (&options->container);
  append_safe_field (text, _ ("Container"), container);
}

/* Other guards are off because there is no limit. */
static gboolean
is_switched_off (FhGuardState *state)
{
  const char *const reasons[] = { "switched-off", "in-flatpak", NULL };
  const char *reason = fh_guard_state_get_facts (state)->reason;

  return fh_guard_state_get_facts (state)->level == FH_GUARD_LEVEL_OFF && reason != NULL &&
         g_strv_contains (reasons, reason);
}

/* How the sandbox was built, and which guards were switched off. */
static void
append_protection (GString *text, FhRunResult *result)
{
  GPtrArray *guards = fh_run_result_get_parts (result)->guards;
  g_autoptr (GString) off = g_string_new (NULL);
  g_autofree char *both = NULL;
  FhTier tier;

  if (!fh_tier_from_string (fh_run_result_get_parts (result)->tier, &tier))
    return;
  for (guint i = 0; i < guards->len && tier != FH_TIER_UNPROTECTED; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);

      if (is_switched_off (state))
        g_string_append_printf (off,
                                "%s%s",
                                off->len > 0 ? ", " : "",
                                fh_guard_title (fh_guard_state_get_facts (state)->guard));
    }
  if (off->len > 0)
    /* Translators: how a sandbox was built, and a list of guards: "Network, Memory" */
    both = g_strdup_printf (_ ("%s; switched off: %s"), fh_tier_title (tier), off->str);
  append_field (text, _ ("Protection"), both != NULL ? both : fh_tier_title (tier));
}

static void
append_part (GString *text, const char *heading, GBytes *bytes)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);
  g_autofree char *safe = fh_terminal_text (data, size);

  if (size == 0)
    return;
  g_string_append_printf (text, "\n%s\n%s", heading, safe);
  if (!g_str_has_suffix (safe, "\n"))
    g_string_append_c (text, '\n');
}

static void
append_mark (GString *marks, const char *mark)
{
  g_string_append_printf (marks, "%s%s", marks->len > 0 ? ", " : "", mark);
}

static void
append_file (GString *text, FhResultFile *file)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autofree char *size = g_format_size_full (facts->size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *name = fh_terminal_line (fh_result_file_get_facts (file)->name);
  g_autoptr (GString) marks = g_string_new (NULL);

  if (facts->kind == FH_RESULT_FILE_LINK)
    append_mark (marks, _ ("link"));
  else if (facts->kind == FH_RESULT_FILE_SPECIAL)
    append_mark (marks, _ ("special file"));
  else if (facts->content == NULL)
    append_mark (marks, _ ("not kept"));
  if (facts->is_changed)
    append_mark (marks, _ ("changed"));
  if (facts->is_from_answer)
    append_mark (marks, C_ ("file", "from the answer"));
  if (facts->is_program)
    append_mark (marks, _ ("program"));
  g_string_append (text, "  ");
  fh_terminal_append_cell (text, facts->kind == FH_RESULT_FILE_REGULAR ? size : "", 12);
  g_string_append_printf (text, "%s", name);
  if (marks->len > 0)
    g_string_append_printf (text, " (%s)", marks->str);
  g_string_append_c (text, '\n');
}

static void
append_files (GString *text, FhResultFiles *files)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (files));
  guint n_left_out = fh_result_files_get_facts (files)->n_left_out;

  if (n == 0 && n_left_out == 0 && !fh_result_files_get_facts (files)->is_incomplete)
    return;
  g_string_append_printf (text, "\n%s\n", _ ("Files left behind:"));
  for (guint i = 0; i < n; i++)
    append_file (text, fh_result_files_get (files, i));
  if (n_left_out > 0)
    {
      g_string_append (text, "  ");
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE,
                                           "and %u more file or folder",
                                           "and %u more files or folders",
                                           n_left_out),
                              n_left_out);
      g_string_append_c (text, '\n');
    }
  if (fh_result_files_get_facts (files)->is_incomplete)
    g_string_append_printf (text, "  %s\n", _ ("Some of the files left behind could not be read."));
}

static void
append_attempts (GString *text, FhAttemptLog *attempts)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (attempts));
  g_autofree char *summary = NULL;

  if (n == 0 && fh_attempt_log_get_n_dropped (attempts) == 0)
    return;
  summary = fh_attempt_text_summary (attempts);
  g_string_append_printf (text, "\n%s\n  %s\n", _ ("Attempts:"), summary);
  for (guint i = 0; i < n; i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (attempts, i);
      g_autofree char *row = fh_attempt_text_row (attempt);

      if (!fh_attempt_get_facts (attempt)->ended_run)
        g_string_append_printf (text, "  %s\n", row);
    }
}

/* How many there are in a project folder, and the command that lists them. */
static void
append_changes (GString *text, const FhHistoryRun *run)
{
  FhFolderChanges *changes = fh_run_result_get_parts (run->result)->changes;
  g_autofree char *line = NULL;

  if (changes == NULL)
    return;
  line = g_strdup_printf ("%u (fumehoodctl changes %" PRId64 ")",
                          g_list_model_get_n_items (G_LIST_MODEL (changes)),
                          fh_history_entry_get_id (run->entry));
  append_field (text, _ ("Changes"), line);
}

char *
fh_history_text_run (const FhHistoryRun *run)
{
  GString *text = g_string_new (NULL);
  FhOutputLog *output = fh_run_result_get_parts (run->result)->output;
  g_autoptr (GBytes) out = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  g_autoptr (GBytes) err = fh_output_log_dup_bytes (output, FH_STREAM_STDERR);
  g_autofree char *when = local_time (fh_history_entry_get_started_at (run->entry));
  g_autofree char *title = fh_terminal_line (fh_history_entry_get_title (run->entry));
  g_autofree char *sentence = fh_terminal_line (fh_run_result_get_parts (run->result)->sentence);
  const char *said = fh_run_result_get_parts (run->result)->outcome->value;
  g_autofree char *value = said != NULL ? fh_terminal_line (said) : NULL;

  /* Translators: a number, then the title of a run. */
  g_string_append_printf (text,
                          _ ("Run %" PRId64 ": %s"),
                          fh_history_entry_get_id (run->entry),
                          title);
  g_string_append_c (text, '\n');
  append_field (text, _ ("Started"), when);
  append_field (text, _ ("Language"), language_name (run->entry));
  append_field (text, _ ("Result"), sentence);
  if (value != NULL)
    append_field (text, _ ("Value"), value);
  append_usage (text, fh_run_result_get_parts (run->result)->outcome);
  append_options (text, fh_run_request_get_parts (run->request)->options);
  append_protection (text, run->result);
  append_changes (text, run);
  append_part (text, _ ("Source:"), fh_run_request_get_parts (run->request)->source);
  append_part (text, _ ("Output:"), out);
  append_part (text, _ ("Error output:"), err);
  append_attempts (text, fh_run_result_get_parts (run->result)->attempts);
  append_files (text, fh_run_result_get_parts (run->result)->files);
  return g_string_free (text, FALSE);
}
