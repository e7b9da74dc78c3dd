/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that are alike are served by one runner, one after the other, for as long as there is no
 * doubt about it; all others, and those that it did not take, have one of their own. */
#include <string.h>

#include "native-sandbox.h"
#include "stand-in.h"
#include "wire-policy.h"

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

static FhSandbox *
new_sandbox (const char *act, const char *module)
{
  const char *const modules[] = { module, NULL };
  g_autoptr (FhRunRequest) like = new_request ("python", "like", 30000);
  FhSandbox *sandbox = fh_native_sandbox_new ();

  stand_in_use (act);
  fh_sandbox_keep_warm (sandbox, like, modules);
  return sandbox;
}

static FhRun *
finish (FhRun *run)
{
  while (fh_run_get_state (run) < FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  return run;
}

static FhRun *
run_request (FhSandbox *sandbox, FhRunRequest *request)
{
  return finish (fh_sandbox_run (sandbox, request));
}

static void
assert_output (FhRun *run, const char *expected)
{
  g_autofree char *output = fh_output_log_dup_text (fh_run_get_output (run), FH_STREAM_STDOUT);

  g_assert_cmpstr (output, ==, expected);
}

static void
assert_good (FhRun *run, const char *expected)
{
  FhRunResult *result = fh_run_get_result (run);

  assert_output (run, expected);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (fh_run_get_guards (run)->len, >, 0);
  g_assert_true (fh_run_is_forked (run) == !g_str_equal (expected, "cold"));
}

static void
assert_run (FhSandbox *sandbox, const char *language, guint64 wall_ms, const char *expected)
{
  g_autoptr (FhRunRequest) request = new_request (language, expected, wall_ms);
  g_autoptr (FhRun) run = run_request (sandbox, request);

  assert_good (run, expected);
}

static void
assert_next (FhSandbox *sandbox, const char *expected)
{
  assert_run (sandbox, "python", 30000, expected);
}

static void
assert_status (FhSandbox *sandbox, FhRunStatus status)
{
  g_autoptr (FhRunRequest) request = new_request ("python", "x", 30000);
  g_autoptr (FhRun) run = run_request (sandbox, request);

  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status, ==, status);
}

static void
test_one_after_the_other (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("forks", NULL);

  for (guint i = 1; i <= 20; i++)
    {
      g_autofree char *expected = g_strdup_printf ("forked %u", i);

      assert_next (sandbox, expected);
    }
}

/* They do not take it away from the others. */
static void
test_others (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("forks", NULL);

  assert_next (sandbox, "forked 1");
  assert_run (sandbox, "python", 20000, "cold");
  assert_run (sandbox, "sh", 30000, "cold");
  assert_next (sandbox, "forked 2");
}

static gboolean
flag_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Its guards may come before the run, or with it. */
static void
test_announced (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("announces", "json");

  for (guint i = 0; i < 4; i++)
    {
      gboolean is_over = FALSE;

      assert_next (sandbox, "json");
      g_timeout_add (i * 10, flag_cb, &is_over);
      while (!is_over)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_retired (void)
{
  g_autoptr (FhSandbox) early = new_sandbox ("retires", NULL);
  g_autoptr (FhSandbox) late = NULL;

  for (guint i = 0; i < 3; i++)
    {
      assert_next (early, "forked 1");
      assert_next (early, "forked 2");
      /* The frame may cross the next run, which is then cold. */
      assert_status (early, FH_RUN_STATUS_OK);
      g_clear_object (&early);
      early = new_sandbox ("retires", NULL);
    }
  late = new_sandbox ("retires-late", NULL);
  for (guint i = 0; i < 5; i++)
    {
      assert_next (late, "forked 1");
      assert_next (late, "forked 2");
      assert_next (late, "cold");
    }
}

/* No run waits for the successor of an interpreter that retires. */
static void
test_successor (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("forks", NULL);

  for (guint i = 0; i < FH_FORKED_RUNS_MAX + 2; i++)
    {
      g_autofree char *expected = g_strdup_printf ("forked %u", i % FH_FORKED_RUNS_MAX + 1);

      assert_next (sandbox, expected);
      if (i == FH_FORKED_RUNS_MAX - 1)
        stand_in_use ("dies");
    }
}

/* Three attempts, then none. */
static void
test_refused (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("refuses-to-fork", NULL);

  for (guint i = 0; i < 3; i++)
    assert_next (sandbox, "cold");
  stand_in_use ("forks");
  assert_next (sandbox, "cold");
}

static void
test_recovers (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("refuses-to-fork", NULL);

  assert_next (sandbox, "cold");
  stand_in_use ("forks");
  assert_next (sandbox, "forked 1");
}

/* Whether it is gone before or after it is asked for the run: nothing has run, so the run begins
 * anew. */
static void
test_dies_between (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("dies-after-first", NULL);
  g_autoptr (FhSandbox) other = new_sandbox ("dies-in-setup", NULL);

  stand_in_use ("dies-after-first");
  for (guint i = 0; i < 4; i++)
    assert_status (sandbox, FH_RUN_STATUS_OK);
  stand_in_use ("dies-in-setup");
  assert_next (other, "forked 1");
  assert_next (other, "cold");
  assert_next (other, "forked 1");
}

static void
assert_second_fails (const char *act)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox (act, NULL);

  assert_next (sandbox, "forked 1");
  assert_status (sandbox, FH_RUN_STATUS_INTERNAL_ERROR);
  assert_next (sandbox, "forked 1");
}

static void
test_dies_in_a_run (void)
{
  assert_second_fails ("dies-in-second");
  assert_second_fails ("retires-in-second");
}

/* Whether the frame is taken while it waits or when it is asked for the next run. */
static void
test_speaks_out_of_turn (void)
{
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (FhSandbox) sandbox = new_sandbox ("speaks-after-first", NULL);
      g_autoptr (FhRunRequest) request = new_request ("python", "x", 30000);
      g_autoptr (FhRun) run = NULL;

      assert_next (sandbox, "forked 1");
      run = run_request (sandbox, request);
      assert_good (run, fh_run_is_forked (run) ? "forked 1" : "cold");
    }
}

/* A run that was stopped leaves a doubt. */
static void
test_stopped (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ("stops", NULL);
  g_autoptr (FhRunRequest) request = new_request ("python", "x", 30000);
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);

  while (fh_run_get_state (run) < FH_RUN_RUNNING)
    g_main_context_iteration (NULL, TRUE);
  fh_run_stop (run);
  finish (run);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  stand_in_use ("forks");
  assert_next (sandbox, "forked 1");
}

static void
test_disposed (void)
{
  g_autoptr (FhSandbox) idle = new_sandbox ("forks", NULL);
  g_autoptr (FhSandbox) busy = new_sandbox ("stops", NULL);
  g_autoptr (FhRunRequest) request = new_request ("python", "x", 30000);
  g_autoptr (FhRun) run = fh_sandbox_run (busy, request);

  g_clear_object (&busy);
  finish (run);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  stand_in_use ("forks");
  assert_next (idle, "forked 1");
}

static void
test_modules (void)
{
  const char *const good[] = { "numpy", "os.path", "_x1", NULL };
  const char *const bad[] = { "numpy", "os..path", NULL };
  const char *many[66] = { NULL };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 65; i++)
    many[i] = "json";
  g_assert_true (fh_sandbox_check_modules (good, NULL));
  g_assert_false (fh_sandbox_check_modules (bad, &error));
  g_assert_nonnull (strstr (error->message, "os..path"));
  g_assert_false (fh_sandbox_check_modules (many, NULL));
  many[64] = NULL;
  g_assert_true (fh_sandbox_check_modules (many, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  g_test_add_func ("/warm-interpreter/one-after-the-other", test_one_after_the_other);
  g_test_add_func ("/warm-interpreter/others", test_others);
  g_test_add_func ("/warm-interpreter/announced", test_announced);
  g_test_add_func ("/warm-interpreter/retired", test_retired);
  g_test_add_func ("/warm-interpreter/successor", test_successor);
  g_test_add_func ("/warm-interpreter/refused", test_refused);
  g_test_add_func ("/warm-interpreter/recovers", test_recovers);
  g_test_add_func ("/warm-interpreter/dies-between", test_dies_between);
  g_test_add_func ("/warm-interpreter/dies-in-a-run", test_dies_in_a_run);
  g_test_add_func ("/warm-interpreter/speaks-out-of-turn", test_speaks_out_of_turn);
  g_test_add_func ("/warm-interpreter/stopped", test_stopped);
  g_test_add_func ("/warm-interpreter/disposed", test_disposed);
  g_test_add_func ("/warm-interpreter/modules", test_modules);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
