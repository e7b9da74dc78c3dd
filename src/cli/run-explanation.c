/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-explanation.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "attempt-text.h"
#include "message.h"

/* For a program that ended by itself nothing is printed, as without us; a person gets advice. */
static void
explain_end (FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  FhRunSeverity severity = fh_run_status_severity (outcome->status);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  if (severity == FH_RUN_SEVERITY_GOOD || severity == FH_RUN_SEVERITY_PROGRAM)
    {
      if (outcome->message != NULL)
        fh_message ("%s", outcome->message);
      if (advice != NULL && isatty (STDERR_FILENO))
        fh_message ("%s", advice);
      return;
    }
  fh_message ("%s%s%s",
              fh_run_result_get_sentence (result),
              advice != NULL ? " " : "",
              advice != NULL ? advice : "");
}

static gboolean
was_watched (const FhRunCommandLine *options)
{
  const FhRunGuards *guards = &options->options->guards;

  return guards->watch != FH_WATCH_OFF && guards->tier != FH_TIER_UNPROTECTED;
}

/* Each line is a message of ours and cannot be confused with the program's output. Without
 * --attempts only their number is shown, and only on a terminal: scripts get the program's output.
 */
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
          g_autofree char *row = fh_attempt_text_row (fh_attempt_log_get (attempts, i));

          fh_message ("%s", row);
        }
    }
  else if (n_stopped > 0 && isatty (STDERR_FILENO))
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u attempt of the program was stopped; --attempts shows it.",
                             "%u attempts of the program were stopped; --attempts shows them.",
                             n_stopped),
                n_stopped);
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
  GPtrArray *guards = fh_run_result_get_guards (result);

  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);
      const char *reason = fh_guard_state_get_reason (state);

      if (reason != NULL && g_strv_contains (reasons, reason))
        fh_message ("%s", fh_guard_state_get_sentence (state));
    }
}

void
fh_run_explain (const FhRunCommandLine *options, FhRunResult *result, FhLiveOutput *output)
{
  explain_end (result);
  if (output != NULL)
    print_left_out (output);
  explain_hosts (result);
  print_attempts (options, fh_run_result_get_attempts (result));
}
