/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of a run only ever grow, and its result is set once. */
#include "run-driver.h"

#include <string.h>

static FhRun *
new_run (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);
  g_autoptr (FhRunRequest) request = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      NULL);
  return fh_run_new (request, "native");
}

static void
append_state_cb (FhRun *run, GParamSpec *pspec, GString *trace)
{
  g_string_append_printf (trace,
                          "%u%s",
                          fh_run_get_state (run),
                          fh_run_get_result (run) != NULL ? "r" : "");
}

static void
append_stop_cb (FhRun *run, gboolean by_force, GString *trace)
{
  g_string_append (trace, by_force ? "force" : "stop");
}

static void
append_output_cb (FhRun *run, const FhOutputPiece *piece, GString *trace)
{
  g_string_append_printf (trace, "%u@%u:", piece->stream, (guint) piece->time_us);
  g_string_append_len (trace, (const char *) piece->data, (gssize) piece->size);
}

static GString *
watch (FhRun *run)
{
  GString *trace = g_string_new (NULL);

  g_signal_connect (run, "notify::state", G_CALLBACK (append_state_cb), trace);
  g_signal_connect (run, "stop-requested", G_CALLBACK (append_stop_cb), trace);
  g_signal_connect (run, "output", G_CALLBACK (append_output_cb), trace);
  return trace;
}

static void
finish (FhRun *run, int exit_code)
{
  fh_run_finish (run,
                 &(FhRunOutcome){
                     .status = exit_code == 0 ? FH_RUN_STATUS_OK : FH_RUN_STATUS_FAILED,
                     .exit_code = exit_code,
                     .signal = -1,
                 });
}

static void
test_life (void)
{
  g_autoptr (FhRun) run = new_run ();
  GString *trace = watch (run);

  g_assert_cmpint (fh_run_get_started_at (run), ==, 0);
  fh_run_started (run);
  g_assert_cmpint (fh_run_get_started_at (run), >, 0);
  fh_run_add_output (run, FH_STREAM_STDERR, 5, "hi", 2);
  finish (run, 3);
  /* The state and the result are seen together. */
  g_assert_cmpstr (trace->str, ==, "12@5:hi3r");
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->exit_code, ==, 3);
  g_string_free (trace, TRUE);
}

static FhAttemptFacts
act (FhVerdict verdict, const char *object, guint line)
{
  return (FhAttemptFacts){
    .guard = FH_GUARD_FILESYSTEM,
    .verdict = verdict,
    .count = 1,
    .line = line,
    .layer = "",
    .operation = "open",
    .object = object,
    .command = "",
  };
}

static void
see (FhRun *run, FhVerdict verdict, const char *object)
{
  FhAttemptFacts facts = act (verdict, object, 0);
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);

  fh_run_add_attempt (run, attempt);
}

static void
report (FhRun *run, const char *object, guint line)
{
  FhAttemptFacts facts = act (FH_VERDICT_OBSERVED, object, line);

  fh_run_add_reported_attempt (run, &facts);
}

static guint
count_attempts (FhRun *run)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_attempts (run)));
}

static void
test_nothing_after_the_end (void)
{
  g_autoptr (FhRun) run = new_run ();
  GString *trace = watch (run);
  FhRunResult *result;

  finish (run, 0);
  result = fh_run_get_result (run);
  g_string_truncate (trace, 0);
  fh_run_started (run);
  fh_run_stop (run);
  fh_run_add_output (run, FH_STREAM_STDOUT, 1, "late", 4);
  fh_run_set_usage (run, &(FhRunUsage){ .memory_bytes = 1 });
  fh_run_take_guards (run, g_ptr_array_new (), "A");
  see (run, FH_VERDICT_DENIED, "/late");
  report (run, "/later", 1);
  fh_run_set_attempts_dropped (run, 5);
  finish (run, 1);
  g_assert_cmpstr (trace->str, ==, "");
  g_assert_true (fh_run_get_result (run) == result);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  g_assert_cmpuint (fh_run_get_usage (run).memory_bytes, ==, 0);
  g_assert_cmpuint (count_attempts (run), ==, 0);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (fh_run_get_attempts (run)), ==, 0);
  g_string_free (trace, TRUE);
}

static void
test_stop_twice (void)
{
  g_autoptr (FhRun) run = new_run ();
  GString *trace = watch (run);

  fh_run_stop (run);
  fh_run_started (run);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_STOPPING);
  fh_run_stop (run);
  fh_run_stop (run);
  g_assert_cmpstr (trace->str, ==, "2stopforce");
  g_string_free (trace, TRUE);
}

static void
count_cb (FhRun *run, GParamSpec *pspec, guint *count)
{
  (*count)++;
}

static void
test_usage (void)
{
  g_autoptr (FhRun) run = new_run ();
  guint count = 0;

  g_signal_connect (run, "notify::usage-serial", G_CALLBACK (count_cb), &count);
  fh_run_set_usage (run, &(FhRunUsage){ .memory_bytes = 1 });
  fh_run_set_usage (run, &(FhRunUsage){ .memory_bytes = 1, .processes = 2 });
  g_assert_cmpuint (count, ==, 2);
  g_assert_cmpuint (fh_run_get_usage (run).processes, ==, 2);
}

static const char *
object_of (FhRun *run, guint position)
{
  return fh_attempt_get_facts (fh_attempt_log_get (fh_run_get_attempts (run), position))->object;
}

/* Each new row is told once; what is merged into another is not. */
static void
test_attempts (void)
{
  g_autoptr (FhRun) run = new_run ();

  see (run, FH_VERDICT_DENIED, "/seen");
  report (run, "/seen", 1);
  report (run, "/told", 2);
  report (run, "/told", 2);
  g_assert_cmpuint (count_attempts (run), ==, 2);
  g_assert_cmpstr (object_of (run, 0), ==, "/seen");
  g_assert_cmpstr (object_of (run, 1), ==, "/told");
  finish (run, 0);
  g_assert_true (fh_run_result_get_parts (fh_run_get_result (run))->attempts ==
                 fh_run_get_attempts (run));
}

static FhRunOutcome
outcome_of_cell (const char *answer, FhRunStatus status)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (GBytes) json = answer != NULL ? g_bytes_new (answer, strlen (answer)) : NULL;
  FhRunOutcome outcome;

  if (json != NULL)
    fh_run_set_answer (run, json);
  g_assert_true (fh_run_get_answer (run) == json);
  fh_run_finish (run, &(FhRunOutcome){ .status = status, .signal = -1 });
  outcome = *fh_run_result_get_parts (fh_run_get_result (run))->outcome;
  outcome.message = g_intern_string (outcome.message);
  outcome.value = g_intern_string (outcome.value);
  return outcome;
}

static void
test_cells (void)
{
  FhRunOutcome outcome;

  g_assert_cmpint (outcome_of_cell (NULL, FH_RUN_STATUS_OK).status, ==, FH_RUN_STATUS_OK);
  outcome = outcome_of_cell ("{\"success\": true}", FH_RUN_STATUS_OK);
  g_assert_cmpint (outcome.status, ==, FH_RUN_STATUS_OK);
  outcome = outcome_of_cell ("{\"success\": false, \"error\": \"E: x\"}", FH_RUN_STATUS_OK);
  g_assert_cmpint (outcome.status, ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpint (outcome.exit_code, ==, -1);
  g_assert_cmpstr (outcome.message, ==, "E: x");
  g_assert_null (outcome.value);
  outcome = outcome_of_cell ("{\"success\": true, \"value\": \"42\"}", FH_RUN_STATUS_OK);
  g_assert_cmpstr (outcome.value, ==, "42");
  outcome = outcome_of_cell ("{\"success\": true, \"value\": 42}", FH_RUN_STATUS_OK);
  g_assert_null (outcome.value);
  outcome = outcome_of_cell ("[", FH_RUN_STATUS_OK);
  g_assert_cmpint (outcome.status, ==, FH_RUN_STATUS_FAILED);
  outcome = outcome_of_cell ("{\"success\": true}", FH_RUN_STATUS_TIMED_OUT);
  g_assert_cmpint (outcome.status, ==, FH_RUN_STATUS_TIMED_OUT);
}

static void
count_reply_cb (FhRun *run, guint number, GBytes *json, guint *sum)
{
  *sum += number;
}

static void
test_replies (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (GBytes) json = g_bytes_new_static ("{}", 2);
  guint sum = 0;

  g_signal_connect (run, "reply", G_CALLBACK (count_reply_cb), &sum);
  fh_run_reply (run, 7, json);
  finish (run, 0);
  fh_run_reply (run, 8, json);
  g_assert_cmpuint (sum, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/life", test_life);
  g_test_add_func ("/run/nothing-after-the-end", test_nothing_after_the_end);
  g_test_add_func ("/run/stop-twice", test_stop_twice);
  g_test_add_func ("/run/usage", test_usage);
  g_test_add_func ("/run/attempts", test_attempts);
  g_test_add_func ("/run/cells", test_cells);
  g_test_add_func ("/run/replies", test_replies);
  return g_test_run ();
}
