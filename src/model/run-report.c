/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-report.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "output-cut.h"
#include "run-summary.h"
#include "valid-text.h"

/* Bytes of the source and of each stream: what a model takes in at once. */
#define SOURCE_MAX   ((gsize) 64 << 10)
#define STREAM_MAX   ((guint64) 8 << 10)
#define ATTEMPTS_MAX 20

/* One more than the longest run of backticks in the text, and at least three. */
static gsize
fence_length (const char *text)
{
  gsize longest = 2;

  for (const char *at = strchr (text, '`'); at != NULL; at = strchr (at, '`'))
    {
      gsize run = strspn (at, "`");

      longest = MAX (longest, run);
      at += run;
    }
  return longest + 1;
}

static void
append_fenced (GString *report, const char *heading, const char *word, const char *text)
{
  g_autofree char *fence = g_strnfill (fence_length (text), '`');

  if (*text == '\0')
    return;
  g_string_append_printf (report, "%s\n\n%s%s\n%s", heading, fence, word, text);
  if (!g_str_has_suffix (text, "\n"))
    g_string_append_c (report, '\n');
  g_string_append_printf (report, "%s\n\n", fence);
}

static void
append_source (GString *report, FhRunRequest *request)
{
  const FhLanguage *language = fh_run_request_get_language (request);
  GBytes *source = fh_run_request_get_source (request);
  gsize size;
  const char *data = g_bytes_get_data (source, &size);
  g_autofree char *text = fh_valid_text_new (data, MIN (size, SOURCE_MAX));
  g_autofree char *heading = g_strdup_printf (_ ("%s code:"), language->name);

  append_fenced (report, heading, language->id, text);
}

static void
append_attempts (GString *report, FhAttemptLog *attempts)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (attempts, i);
      const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
      g_autofree char *title = fh_attempt_dup_title (attempt);
      g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

      if (facts->verdict == FH_VERDICT_OBSERVED || n == ATTEMPTS_MAX)
        continue;
      if (n++ == 0)
        g_string_append_printf (report, "%s\n\n", _ ("Blocked by the sandbox:"));
      if (facts->block > 0)
        /* Translators: the number of a block of an answer; what it tried; a sentence about that */
        g_string_append_printf (report, _ ("- Block %u: %s: %s\n"), facts->block, title, sentence);
      else
        g_string_append_printf (report, "- %s: %s\n", title, sentence);
    }
  if (n > 0)
    g_string_append_c (report, '\n');
}

static void
append_limits (GString *report,
               FhRunRequest *request,
               FhRunResult *result,
               const FhRunSummary *summary)
{
  const char *tier = fh_run_result_get_tier (result);
  const FhRunLimits *limits = fh_run_request_get_limits (request);
  g_autofree char *time = fh_run_limits_format_duration (limits->wall_ms);
  g_autofree char *memory = fh_run_limits_format_size (limits->memory_bytes);

  /* A run without a tier never started. */
  if (*tier == '\0')
    return;
  if (g_str_equal (tier, fh_tier_to_string (FH_TIER_UNPROTECTED)))
    g_string_append (report, _ ("It ran without protection."));
  else
    /* Translators: limits of a run: a time and an amount of memory */
    g_string_append_printf (report, _ ("It ran in a sandbox: time %s, memory %s."), time, memory);
  if (summary->opened != NULL)
    g_string_append_printf (report, " %s", summary->opened);
  g_string_append (report, "\n\n");
}

char *
fh_run_report_new (FhRunRequest *request, FhRunResult *result)
{
  GString *report = g_string_new (NULL);
  g_autoptr (FhRunSummary) summary = NULL;
  g_autoptr (FhOutputLog) output = NULL;
  g_autofree char *error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  summary = fh_run_summary_new (request, result);
  error = fh_run_summary_dup_error_sentence (summary);
  output = fh_output_log_cut (fh_run_result_get_output (result), STREAM_MAX);
  out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  err = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  g_string_append (report, fh_run_result_get_sentence (result));
  if (error != NULL)
    g_string_append_printf (report, " %s", error);
  g_string_append (report, "\n\n");
  append_limits (report, request, result, summary);
  append_attempts (report, fh_run_result_get_attempts (result));
  append_source (report, request);
  append_fenced (report, _ ("Standard output:"), "", out);
  append_fenced (report, _ ("Standard error:"), "", err);
  g_string_truncate (report, report->len - 1);
  return g_string_free (report, FALSE);
}
