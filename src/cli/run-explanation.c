/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-explanation.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "attempt-text.h"
#include "message.h"
#include "run-summary.h"

static gboolean
ended_itself (FhRunResult *result)
{
  FhRunSeverity severity =
      fh_run_status_severity (fh_run_result_get_parts (result)->outcome->status);

  return severity == FH_RUN_SEVERITY_GOOD || severity == FH_RUN_SEVERITY_PROGRAM;
}

/* Prints nothing for a program that ended by itself, as without us; print_summary is for people. */
static void
explain_end (FhRunResult *result)
{
  g_autofree char *remark = fh_run_outcome_remark (fh_run_result_get_parts (result)->outcome);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  if (!ended_itself (result))
    fh_message_in_color (FH_COLOR_BAD,
                         "%s%s%s",
                         fh_run_result_get_parts (result)->sentence,
                         advice != NULL ? " " : "",
                         advice != NULL ? advice : "");
  else if (remark != NULL)
    fh_message ("%s", remark);
}

static gboolean
was_watched (const FhRunCommandLine *options)
{
  const FhRunGuards *guards = &options->options->guards;

  return guards->watch != FH_WATCH_OFF && guards->tier != FH_TIER_UNPROTECTED;
}

static FhColor
verdict_color (FhAttempt *attempt)
{
  return fh_attempt_get_facts (attempt)->verdict == FH_VERDICT_OBSERVED ? FH_COLOR_WARNING
                                                                        : FH_COLOR_BAD;
}

/* Each line is a message of ours and cannot be confused with the program's output. */
static void
print_attempts (const FhRunCommandLine *options, FhAttemptLog *attempts)
{
  guint n_stopped = fh_attempt_log_get_n_stopped (attempts);

  if (options->attempts && !was_watched (options) && n_stopped == 0)
    fh_message (_ ("What the program tried was not watched."));
  else if (options->attempts)
    {
      g_autofree char *summary = fh_attempt_text_summary (attempts);

      fh_message ("%s", summary);
      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
        {
          FhAttempt *attempt = fh_attempt_log_get (attempts, i);
          g_autofree char *row = fh_attempt_text_row (attempt);

          if (!fh_attempt_get_facts (attempt)->ended_run)
            fh_message_in_color (verdict_color (attempt), "%s", row);
        }
    }
}

/* Prints what was blocked, and the option that would allow the gravest of it. */
static void
print_blocked (const FhRunSummary *summary)
{
  g_autofree char *blocked = fh_run_summary_dup_blocked (summary, FALSE);
  g_autofree char *value = NULL;
  const FhRunOption *option = fh_attempt_find_control (summary->blocked->pdata[0], &value);
  g_autofree char *control = NULL;

  if (option != NULL)
    control = g_strdup_printf (value != NULL ? "--%s=%s" : "--%s", option->flag, value);
  fh_message_in_color (FH_COLOR_BAD, "%s", blocked);
  if (summary->n_more > 0)
    fh_message (_ ("--attempts lists them."));
  if (control != NULL)
    /* Translators: an option of the command line */
    fh_message (_ ("To allow that: %s"), control);
}

static void
print_figures (FhRunResult *result, const FhRunSummary *summary)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  g_autofree char *memory = fh_run_limits_format_size (outcome->memory_peak);
  g_autofree char *files =
      g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, ", %u file", ", %u files", summary->n_files),
                       summary->n_files);

  /* Translators: seconds, memory, and ", 3 files" or nothing */
  fh_message (_ ("%.2f s, %s%s"),
              (double) outcome->wall_us / 1e6,
              memory,
              summary->n_files > 0 ? files : "");
}

/* Prints the summary for people: a script gets the program's output and nothing else. */
static void
print_summary (const FhRunCommandLine *options, FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (FhRunSummary) summary = fh_run_summary_new (request, result);
  g_autofree char *error = fh_run_summary_dup_error_sentence (summary);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  if (ended_itself (result) &&
      fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    fh_message_in_color (FH_COLOR_WARNING,
                         "%s%s%s",
                         fh_run_result_get_parts (result)->sentence,
                         error != NULL ? " " : "",
                         error != NULL ? error : "");
  if (ended_itself (result) && advice != NULL)
    fh_message ("%s", advice);
  if (summary->opened != NULL)
    fh_message_in_color (FH_COLOR_WARNING, "%s", summary->opened);
  if (summary->blocked->len > 0 && !options->attempts)
    print_blocked (summary);
  if (isatty (STDOUT_FILENO) &&
      fh_run_status_severity (fh_run_result_get_parts (result)->outcome->status) !=
          FH_RUN_SEVERITY_OURS)
    print_figures (result, summary);
}

static void
print_left_out (FhLiveOutput *output)
{
  guint64 left_out = fh_live_output_get_left_out (output);
  g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, left_out);

  if (left_out > 0)
    /* Translators: %s is a number. */
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%s byte of the output is not shown: it was not read in time.",
                             "%s bytes of the output are not shown: they were not read in time.",
                             (gulong) MIN (left_out, G_MAXLONG)),
                count);
}

/* The program itself cannot tell why a host that was allowed is not there. */
static void
explain_hosts (FhRunResult *result)
{
  const char *const reasons[] = { "no-proxy", "no-way-to-hosts", NULL };
  GPtrArray *guards = fh_run_result_get_parts (result)->guards;

  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);
      const char *reason = fh_guard_state_get_facts (state)->reason;

      if (reason != NULL && g_strv_contains (reasons, reason))
        fh_message ("%s", fh_guard_state_get_facts (state)->sentence);
    }
}

void
fh_run_explain (const FhRunCommandLine *options, FhRun *run, FhLiveOutput *output)
{
  FhRunResult *result = fh_run_get_result (run);

  explain_end (result);
  if (output != NULL)
    print_left_out (output);
  explain_hosts (result);
  print_attempts (options, fh_run_result_get_parts (result)->attempts);
  if (isatty (STDERR_FILENO) &&
      fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_NOT_STARTED)
    print_summary (options, fh_run_get_request (run), result);
}
