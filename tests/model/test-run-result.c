/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-result.h"

#include <string.h>

static void
test_everything_is_kept (void)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDateTime) started_at = g_date_time_new_from_iso8601 ("2024-05-06T12:00:00+02", NULL);
  g_autoptr (FhRunResult) result = NULL;
  char *step = g_strdup ("user-namespace");
  char *message = g_strdup ("More \xff about it.");
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_GUARD_FAILED,
    .exit_code = -1,
    .signal = -1,
    .wall_us = 5,
    .error = 1,
    .step = step,
    .message = message,
  };

  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_TIME, FH_GUARD_LEVEL_ACTIVE, "timer", NULL));
  result = fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .guards = guards,
      .started_at = started_at,
      .backend = "native",
      .tier = "A",
  });
  memset (step, 'x', strlen (step));
  g_free (step);
  g_free (message);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpstr (fh_run_result_get_parts (result)->outcome->step, ==, "user-namespace");
  g_assert_cmpstr (fh_run_result_get_parts (result)->outcome->message, ==, "More \uFFFD about it.");
  g_assert_cmpuint (fh_run_result_get_parts (result)->outcome->wall_us, ==, 5);
  g_assert_true (fh_run_result_get_parts (result)->output == output);
  g_assert_true (fh_run_result_get_parts (result)->guards == guards);
  g_assert_cmpint (g_date_time_get_hour (fh_run_result_get_parts (result)->started_at), ==, 10);
  g_assert_cmpstr (fh_run_result_get_parts (result)->backend, ==, "native");
  g_assert_cmpstr (fh_run_result_get_parts (result)->tier, ==, "A");
  g_assert_nonnull (strstr (fh_run_result_get_parts (result)->sentence, "“user-namespace”"));
}

static void
test_least (void)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_OK, .signal = -1, .step = "" };
  FhRunResult *result = fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .started_at = now,
      .backend = "native",
  });

  g_assert_cmpuint (fh_run_result_get_parts (result)->guards->len, ==, 0);
  g_assert_cmpstr (fh_run_result_get_parts (result)->tier, ==, "");
  g_assert_null (fh_run_result_get_parts (result)->outcome->step);
  g_assert_true (g_date_time_equal (now, fh_run_result_get_parts (result)->started_at));
  fh_output_log_append (output, FH_STREAM_STDOUT, 0, "late", 4);
  g_assert_cmpuint (fh_output_log_get_total (output, FH_STREAM_STDOUT), ==, 0);
  g_assert_finalize_object (result);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-result/everything-is-kept", test_everything_is_kept);
  g_test_add_func ("/run-result/least", test_least);
  return g_test_run ();
}
