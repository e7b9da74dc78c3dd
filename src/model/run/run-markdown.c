/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-markdown.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "answer.h"
#include "attempt-kind.h"
#include "output-cut.h"
#include "readable-text.h"
#include "run-summary.h"

/* Bytes of the source and of each stream: what a model takes in at once. */
#define SOURCE_MAX ((gsize) 64 << 10)
#define STREAM_MAX ((guint64) 8 << 10)
#define LIST_MAX   20 /* rows */

/* Backticks that the text cannot close: more than it has in a row. */
static char *
dup_fence (const char *text, gsize shortest)
{
  gsize longest = shortest - 1;

  for (const char *at = strchr (text, '`'); at != NULL; at = strchr (at, '`'))
    {
      gsize run = strspn (at, "`");

      longest = MAX (longest, run);
      at += run;
    }
  return g_strnfill (longest + 1, '`');
}

static void
append_fenced (GString *report, const char *heading, const char *word, const char *text)
{
  g_autofree char *fence = dup_fence (text, 3);

  if (*text == '\0')
    return;
  g_string_append_printf (report, "%s\n\n%s%s\n%s", heading, fence, word, text);
  if (!g_str_has_suffix (text, "\n"))
    g_string_append_c (report, '\n');
  g_string_append_printf (report, "%s\n\n", fence);
}

/* An answer is recorded with the language of its first block. */
static void
append_source (GString *report, FhRunRequest *request)
{
  const FhLanguage *language = fh_run_request_get_parts (request)->language;
  GBytes *source = fh_run_request_get_parts (request)->source;
  gsize size;
  const char *data = g_bytes_get_data (source, &size);
  g_autofree char *text = fh_valid_text_new (data, MIN (size, SOURCE_MAX));
  g_autofree char *heading = g_strdup_printf (_ ("%s code:"), language->name);
  g_autoptr (GPtrArray) blocks = fh_answer_parse (NULL, text, FALSE);

  if (blocks != NULL)
    append_fenced (report, _ ("The answer:"), "markdown", text);
  else
    append_fenced (report, heading, language->id, text);
}

/* The text in a code span that it cannot end, and in which nothing is a link or a picture. */
static char *
dup_code (const char *text)
{
  g_autofree char *fence = dup_fence (text, 1);
  const char *space = strchr (text, '`') != NULL ? " " : "";

  return g_strconcat (fence, space, text, space, fence, NULL);
}

/* `is_code`: for people, who read Markdown as it looks; a model reads it as it is. */
static void
append_attempt (GString *report, FhAttempt *attempt, gboolean is_code)
{
  const guint block = fh_attempt_get_facts (attempt)->block;
  g_autofree char *title = fh_attempt_dup_title (attempt);
  g_autofree char *code = is_code ? dup_code (title) : NULL;
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

  if (block > 0)
    /* Translators: the number of a block of an answer; what it tried; a sentence about that */
    g_string_append_printf (report,
                            _ ("- Block %u: %s: %s\n"),
                            block,
                            is_code ? code : title,
                            sentence);
  else
    g_string_append_printf (report, "- %s: %s\n", is_code ? code : title, sentence);
}

/* A person need not know of everything that was not blocked, such as files of the program's own. */
static gboolean
is_told (FhAttempt *attempt, gboolean is_blocked)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);

  if (is_blocked || fh_attempt_was_blocked (facts))
    return is_blocked == fh_attempt_was_blocked (facts);
  return fh_attempt_gravity (facts) != FH_ATTEMPT_GRAVITY_REST;
}

static void
append_more (GString *report, guint n)
{
  if (n > 0)
    g_string_append_printf (report,
                            g_dngettext (GETTEXT_PACKAGE, "- and %u more\n", "- and %u more\n", n),
                            n);
}

static void
append_attempts (GString *report,
                 const char *heading,
                 FhAttemptLog *attempts,
                 gboolean is_blocked,
                 gboolean is_code)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (attempts, i);

      if (!is_told (attempt, is_blocked))
        continue;
      if (n++ == 0)
        g_string_append_printf (report, "%s\n\n", heading);
      if (n <= LIST_MAX)
        append_attempt (report, attempt, is_code);
    }
  append_more (report, n > LIST_MAX ? n - LIST_MAX : 0);
  if (n > 0)
    g_string_append_c (report, '\n');
}

static void
append_limits (GString *report,
               FhRunRequest *request,
               FhRunResult *result,
               const FhRunSummary *summary)
{
  const char *tier = fh_run_result_get_parts (result)->tier;
  /* A guard that is switched off limits nothing. */
  const FhRunLimits limits = fh_run_guards_limits (fh_run_request_get_parts (request)->guards,
                                                   &fh_run_request_get_parts (request)->limits);
  g_autofree char *time = limits.wall_ms > 0 ? fh_run_limits_format_duration (limits.wall_ms)
                                             : g_strdup (_ ("unlimited"));
  g_autofree char *memory = limits.memory_bytes > 0
                                ? fh_run_limits_format_size (limits.memory_bytes)
                                : g_strdup (_ ("unlimited"));

  /* A run without a tier never started. */
  if (*tier == '\0')
    return;
  if (g_str_equal (tier, fh_tier_to_string (FH_TIER_UNPROTECTED)))
    g_string_append (report, _ ("It ran without protection."));
  else
    /* Translators: limits of a run: a time and an amount of memory, or “unlimited” */
    g_string_append_printf (report,
                            _ ("It ran in a sandbox. Limits: time %s, memory %s."),
                            time,
                            memory);
  if (summary->opened != NULL)
    g_string_append_printf (report, " %s", summary->opened);
  g_string_append (report, "\n\n");
}

/* `error`: what the program said, nullable. */
static void
append_end (GString *report, FhRunResult *result, const char *error)
{
  g_string_append (report, fh_run_result_get_parts (result)->sentence);
  if (error != NULL)
    g_string_append_printf (report, " %s", error);
  g_string_append (report, "\n\n");
}

static void
append_output (GString *report, FhRunResult *result)
{
  g_autoptr (FhOutputLog) output =
      fh_output_log_cut (fh_run_result_get_parts (result)->output, STREAM_MAX);
  g_autofree char *out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  g_autofree char *err = fh_output_log_dup_text (output, FH_STREAM_STDERR);

  append_fenced (report, _ ("Standard output:"), "", out);
  append_fenced (report, _ ("Standard error:"), "", err);
  g_string_truncate (report, report->len - 1);
}

char *
fh_run_markdown_new_reply (FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (FhRunSummary) summary = NULL;
  g_autofree char *error = NULL;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  summary = fh_run_summary_new (request, result);
  error = fh_run_summary_dup_error_sentence (summary);
  append_end (report, result, error);
  append_limits (report, request, result, summary);
  append_attempts (report,
                   _ ("Blocked by the sandbox:"),
                   fh_run_result_get_parts (result)->attempts,
                   TRUE,
                   FALSE);
  append_source (report, request);
  append_output (report, result);
  return g_string_free (g_steal_pointer (&report), FALSE);
}

/* Says what is not known about attempts, so that an empty list does not mean that there were none.
 */
static void
append_unseen (GString *report, FhRunRequest *request, FhRunResult *result)
{
  const guint64 n_dropped =
      fh_attempt_log_get_n_dropped (fh_run_result_get_parts (result)->attempts);
  const char *why = fh_attempts_why_unseen (fh_run_request_get_parts (request)->guards,
                                            fh_run_result_get_parts (result)->guards);

  if (why != NULL)
    g_string_append_printf (report, _ ("What it tried is not known. %s"), why);
  else if (n_dropped > 0)
    g_string_append_printf (report,
                            g_dngettext (GETTEXT_PACKAGE,
                                         "%u more attempt is not listed.",
                                         "%u more attempts are not listed.",
                                         (guint) MIN (n_dropped, G_MAXUINT)),
                            (guint) MIN (n_dropped, G_MAXUINT));
  else if (g_list_model_get_n_items (G_LIST_MODEL (fh_run_result_get_parts (result)->attempts)) ==
               0 &&
           fh_run_outcome_has_run (fh_run_result_get_parts (result)->outcome))
    g_string_append (report, _ ("The guards did not see anything."));
  else
    return;
  g_string_append (report, "\n\n");
}

static void
append_file (GString *report, const char *name, guint64 bytes)
{
  g_autofree char *code = dup_code (name);
  g_autofree char *size = fh_run_limits_format_size (bytes);

  g_string_append_printf (report, "- %s (%s)\n", code, size);
}

/* `n_more`: how many others there are. */
static void
append_files (GString *report,
              const char *heading,
              FhResultFiles *files,
              gboolean is_from_answer,
              guint n_more)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);
      const FhResultFileFacts *facts = fh_result_file_get_facts (file);

      if (facts->is_from_answer != is_from_answer)
        continue;
      if (n++ == 0)
        g_string_append_printf (report, "%s\n\n", heading);
      if (n <= LIST_MAX)
        append_file (report, fh_result_file_get_facts (file)->name, facts->size);
    }
  if (n == 0 && n_more > 0)
    g_string_append_printf (report, "%s\n\n", heading);
  append_more (report, n - MIN (n, LIST_MAX) + n_more);
  if (n + n_more > 0)
    g_string_append_c (report, '\n');
}

static void
append_changes (GString *report, FhFolderChanges *changes)
{
  const guint n = changes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (changes)) : 0;

  if (n == 0)
    return;
  g_string_append_printf (report, "%s\n\n", _ ("Changes in the project folder:"));
  for (guint i = 0; i < MIN (n, LIST_MAX); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (changes, i);
      g_autofree char *name = g_strdup_printf ("%s %s",
                                               fh_folder_change_get_letter (change),
                                               fh_folder_change_get_facts (change)->name);

      append_file (report, name, fh_folder_change_get_facts (change)->new_size);
    }
  append_more (report, n - MIN (n, LIST_MAX) + fh_folder_changes_get_facts (changes)->n_left_out);
  g_string_append_c (report, '\n');
}

char *
fh_run_markdown_new_review (FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (GString) report = g_string_new (NULL);
  g_autoptr (FhRunSummary) summary = NULL;
  g_autofree char *title = NULL;
  g_autofree char *error = NULL;
  FhAttemptLog *attempts;
  FhResultFiles *files;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  summary = fh_run_summary_new (request, result);
  title = dup_code (fh_run_request_get_parts (request)->title);
  error = summary->error != NULL ? dup_code (summary->error) : NULL;
  attempts = fh_run_result_get_parts (result)->attempts;
  g_string_append_printf (report, "### %s\n\n", title);
  append_end (report, result, error);
  append_limits (report, request, result, summary);
  append_attempts (report, _ ("Blocked by the sandbox:"), attempts, TRUE, TRUE);
  append_attempts (report, _ ("Also tried:"), attempts, FALSE, TRUE);
  append_unseen (report, request, result);
  files = fh_run_result_get_parts (result)->files;
  append_files (report,
                _ ("Files that it left:"),
                files,
                FALSE,
                fh_result_files_get_facts (files)->n_left_out);
  append_files (report, _ ("Files that hold the answer’s blocks:"), files, TRUE, 0);
  append_changes (report, fh_run_result_get_parts (result)->changes);
  append_output (report, result);
  return g_string_free (g_steal_pointer (&report), FALSE);
}
