/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "output/output-figures.h"

#include "fh-test.h"

static FhRunResult *
result_new (const FhRunOutcome *outcome)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, "12345", 5);
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = outcome,
      .output = log,
      .started_at = now,
      .backend = "native",
      .tier = "A",
  });
}

/* With spaces for those that do not break: a line breaks between figures only. */
static char *
plain (const char *text)
{
  g_auto (GStrv) figures = g_strsplit (text, "·  ", -1);
  g_auto (GStrv) words = NULL;

  for (guint i = 0; figures[i] != NULL; i++)
    g_assert_null (strchr (figures[i], ' '));
  words = g_strsplit (text, "\u00a0", -1);
  return g_strjoinv (" ", words);
}

static void
test_final (void)
{
  FhRunOutcome killed = {
    .status = FH_RUN_STATUS_SIGNALLED,
    .exit_code = -1,
    .signal = 11,
    .wall_us = 2000000,
    .cpu_user_us = 1500000,
    .cpu_system_us = 250000,
    .memory_peak = 3 << 20,
  };
  FhRunOutcome not_started = {
    .status = FH_RUN_STATUS_NOT_STARTED,
    .exit_code = -1,
    .signal = -1,
    .step = "exec",
    .error = 2,
  };
  g_autoptr (FhRunResult) result = result_new (&killed);
  g_autoptr (FhRunResult) nothing = result_new (&not_started);
  g_autofree char *shown = fh_output_figures_final (result, FALSE);
  g_autofree char *text = plain (shown);
  g_autofree char *none = fh_output_figures_final (nothing, FALSE);
  g_autofree char *answer = fh_output_figures_final (result, TRUE);

  g_assert_nonnull (strstr (text, "Signal SIGSEGV"));
  g_assert_nonnull (strstr (text, "Time 2.00 s"));
  g_assert_nonnull (strstr (text, "CPU 1.75 s"));
  g_assert_nonnull (strstr (text, "Peak memory 3.0"));
  g_assert_nonnull (strstr (text, "stdout 5"));
  g_assert_nonnull (strstr (text, "stderr 0"));
  g_assert_null (strstr (text, "Exit code"));
  g_assert_null (strstr (answer, "stdout"));
  /* Nothing ran: nothing was measured. */
  g_assert_cmpstr (none, ==, "");
}

/* What the blocks wrote, without the headings that are between them. */
static void
test_answer (void)
{
  const FhRunOutcome outcome = { .signal = -1, .wall_us = 2000000 };
  g_autoptr (FhRunResult) plain_result = result_new (&outcome);
  g_autoptr (GPtrArray) blocks = fh_block_runs_new ();
  FhRunResultParts parts = *fh_run_result_get_parts (plain_result);
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      FhBlockRun *run = g_new0 (FhBlockRun, 1);

      run->sizes[0] = 100;
      run->sizes[1] = 5;
      run->left_out[0] = 1;
      g_ptr_array_add (blocks, run);
    }
  parts.blocks = blocks;
  result = fh_run_result_new (&parts);
  shown = fh_output_figures_final (result, TRUE);
  text = plain (shown);
  g_assert_nonnull (strstr (text, "stdout 202 bytes"));
  g_assert_nonnull (strstr (text, "stderr 10 bytes"));
}

static void
test_finished (void)
{
  const FhRunOutcome good = { .signal = -1, .wall_us = 2000000 };
  const FhRunOutcome bad = { .status = FH_RUN_STATUS_FAILED,
                             .exit_code = 3,
                             .signal = -1,
                             .wall_us = 2000000 };
  g_autoptr (FhRunResult) finished = result_new (&good);
  g_autoptr (FhRunResult) failed = result_new (&bad);
  g_autofree char *text = fh_output_figures_final (finished, FALSE);
  g_autofree char *other = fh_output_figures_final (failed, FALSE);

  g_autofree char *time = fh_output_figures_time_final (finished);

  g_assert_true (g_str_has_prefix (text, "Time"));
  g_assert_true (g_str_has_prefix (other, "Time"));
  g_assert_cmpstr (time, ==, "2.00 s");
}

/* The wait for a person is told apart from the time that counted. */
static void
test_waited (void)
{
  const FhRunOutcome outcome = { .signal = -1, .wall_us = 109000000, .waited_us = 108500000 };
  g_autoptr (FhRunResult) result = result_new (&outcome);
  g_autofree char *shown = fh_output_figures_final (result, FALSE);
  g_autofree char *text = plain (shown);
  g_autofree char *time = fh_output_figures_time_final (result);

  g_assert_nonnull (strstr (text, "Time 500 ms"));
  g_assert_nonnull (strstr (text, "Waited 1:48 min for input"));
  g_assert_cmpstr (time, ==, "500 ms");
}

static void
test_live (void)
{
  FhRunUsage usage = { .memory_bytes = 5 << 20 };
  FhRunLimits limits = FH_RUN_LIMITS_DEFAULT;
  g_autofree char *limited = fh_output_figures_live (1240000, &usage, &limits);
  g_autofree char *text = plain (limited);
  g_autofree char *unlimited = NULL;
  g_autofree char *time = fh_output_figures_time_live (1240000, &limits);

  g_assert_cmpstr (time, ==, "1.2 s of 30 s");
  g_assert_true (g_str_has_prefix (text, "1.2 s of 30 s"));
  g_assert_nonnull (strstr (text, "Memory 5.0"));
  limits.wall_ms = 0;
  usage.memory_bytes = 0;
  unlimited = fh_output_figures_live (1240000, &usage, &limits);
  g_assert_cmpstr (unlimited, ==, "1.2\u00a0s");
}

FH_TESTS ({ "/figures/final", test_final },
          { "/figures/answer", test_answer },
          { "/figures/finished", test_finished },
          { "/figures/waited", test_waited },
          { "/figures/live", test_live });
