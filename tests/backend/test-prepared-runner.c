/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was prepared is used for a run that it suits; otherwise the run is as any other. */
#include <string.h>

#include "native-sandbox.h"
#include "stand-in.h"

/* How long a runner may take to prepare. */
#define PATIENCE_US 90000000

static FhRunRequest *
new_request (const char *language, const char *argument, guint64 wall_ms)
{
  const char *const arguments[] = { argument, NULL };
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  FhRunLimits limits = FH_RUN_LIMITS_DEFAULT;
  FhRunRequest *request;

  limits.wall_ms = wall_ms;
  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup (language),
          .source = source,
          .arguments = arguments,
          .limits = limits,
      },
      &error);
  g_assert_no_error (error);
  return request;
}

static char *
run (FhSandbox *sandbox, FhRunRequest *request)
{
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);
  FhRunResult *result;

  while (fh_run_get_state (run) < FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  result = fh_run_get_result (run);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (fh_run_get_guards (run)->len, >, 0);
  return fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
}

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs with what was prepared until the result is the one expected; a runner that is not ready yet
 * is not waited for by the sandbox. */
static void
assert_runs (const char *act, const char *language, guint64 wall_ms, const char *expected)
{
  g_autoptr (FhRunRequest) prepared = new_request ("python", "one", 30000);
  g_autoptr (FhRunRequest) request = new_request (language, "two", wall_ms);
  const gint64 end = g_get_monotonic_time () + PATIENCE_US;
  guint wake = g_timeout_add (5, wake_cb, NULL);
  g_autofree char *output = NULL;

  stand_in_use (act);
  for (guint pause_ms = 50; g_strcmp0 (output, expected) != 0; pause_ms *= 2)
    {
      g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
      const gint64 begin = g_get_monotonic_time ();

      g_assert_cmpint (begin, <, end);
      fh_sandbox_prepare (sandbox, prepared);
      while (g_get_monotonic_time () - begin < (gint64) pause_ms * 1000)
        g_main_context_iteration (NULL, TRUE);
      g_free (output);
      output = run (sandbox, request);
    }
  g_source_remove (wake);
}

static void
test_prepared (void)
{
  assert_runs ("waits", "python", 30000, "prepared main.py");
}

/* These never become true of a prepared one, so that the first run tells. */
static void
assert_cold (const char *act, const char *language, guint64 wall_ms, const char *expected)
{
  g_autoptr (FhRunRequest) prepared = new_request ("python", "one", 30000);
  g_autoptr (FhRunRequest) request = new_request (language, "two", wall_ms);
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  guint wake = g_timeout_add (5, wake_cb, NULL);
  const gint64 begin = g_get_monotonic_time ();
  g_autofree char *output = NULL;

  stand_in_use (act);
  fh_sandbox_prepare (sandbox, prepared);
  while (g_get_monotonic_time () - begin < 300000)
    g_main_context_iteration (NULL, TRUE);
  output = run (sandbox, request);
  g_assert_cmpstr (output, ==, expected);
  g_source_remove (wake);
}

static void
test_other_options (void)
{
  assert_cold ("waits", "python", 20000, "cold main.py");
}

static void
test_other_language (void)
{
  assert_cold ("waits", "sh", 30000, "cold main.sh");
}

static void
test_failures (void)
{
  assert_cold ("fails-to-prepare", "python", 30000, "cold main.py");
  assert_cold ("dies-waiting", "python", 30000, "cold main.py");
  assert_cold ("speaks-waiting", "python", 30000, "cold main.py");
}

/* Not ready yet: no run waits for that. */
static void
test_at_once (void)
{
  g_autoptr (FhRunRequest) request = new_request ("python", "one", 30000);
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autofree char *output = NULL;

  stand_in_use ("waits");
  fh_sandbox_prepare (sandbox, request);
  fh_sandbox_prepare (sandbox, request);
  output = run (sandbox, request);
  g_assert_cmpstr (output, ==, "cold main.py");
}

static void
test_used_once (void)
{
  g_autoptr (FhRunRequest) request = new_request ("python", "one", 30000);
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  stand_in_use ("waits");
  fh_sandbox_prepare (sandbox, request);
  first = run (sandbox, request);
  second = run (sandbox, request);
  g_assert_cmpstr (second, ==, "cold main.py");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  g_test_add_func ("/prepared-runner/prepared", test_prepared);
  g_test_add_func ("/prepared-runner/other-options", test_other_options);
  g_test_add_func ("/prepared-runner/other-language", test_other_language);
  g_test_add_func ("/prepared-runner/failures", test_failures);
  g_test_add_func ("/prepared-runner/at-once", test_at_once);
  g_test_add_func ("/prepared-runner/used-once", test_used_once);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
