/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of a run only ever grow, and its result is set once. */
#include "run-driver.h"

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
append_output_cb (FhRun *run, guint stream, guint64 time_us, GBytes *bytes, GString *trace)
{
  g_string_append_printf (trace, "%u@%u:", stream, (guint) time_us);
  g_string_append_len (trace, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
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
  g_autoptr (GBytes) bytes = g_bytes_new_static ("hi", 2);
  GString *trace = watch (run);

  g_assert_cmpint (fh_run_get_started_at (run), ==, 0);
  fh_run_started (run);
  g_assert_cmpint (fh_run_get_started_at (run), >, 0);
  fh_run_add_output (run, FH_STREAM_STDERR, 5, bytes);
  finish (run, 3);
  /* The state and the result are seen together. */
  g_assert_cmpstr (trace->str, ==, "12@5:hi3r");
  g_assert_cmpint (fh_run_result_get_outcome (fh_run_get_result (run))->exit_code, ==, 3);
  g_string_free (trace, TRUE);
}

static void
test_nothing_after_the_end (void)
{
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (GBytes) bytes = g_bytes_new_static ("late", 4);
  GString *trace = watch (run);
  FhRunResult *result;

  finish (run, 0);
  result = fh_run_get_result (run);
  g_string_truncate (trace, 0);
  fh_run_started (run);
  fh_run_stop (run);
  fh_run_add_output (run, FH_STREAM_STDOUT, 1, bytes);
  fh_run_add_guest_message (run, bytes);
  fh_run_set_usage (run, &(FhRunUsage){ .memory_bytes = 1 });
  fh_run_take_guards (run, g_ptr_array_new (), "A");
  finish (run, 1);
  g_assert_cmpstr (trace->str, ==, "");
  g_assert_true (fh_run_get_result (run) == result);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  g_assert_cmpuint (fh_run_get_usage (run).memory_bytes, ==, 0);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/life", test_life);
  g_test_add_func ("/run/nothing-after-the-end", test_nothing_after_the_end);
  g_test_add_func ("/run/stop-twice", test_stop_twice);
  g_test_add_func ("/run/usage", test_usage);
  return g_test_run ();
}
