/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/run-options.h"

#include "run-error.h"

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
test_defaults (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  FhRunLimits limits = fh_run_options_get_limits (options);
  FhRunLimits expected = FH_RUN_LIMITS_DEFAULT;
  g_autofree char *summary = NULL;

  g_assert_cmpstr (fh_run_options_get_language (options)->id, ==, "python");
  g_assert_null (fh_run_options_get_interpreter (options));
  g_assert_cmpstr (fh_run_options_get_arguments (options), ==, "");
  g_assert_cmpstr (fh_run_options_get_standard_input (options), ==, "");
  g_assert_true (fh_run_options_get_keep (options));
  g_assert_true (fh_run_limits_equal (&limits, &expected));
  g_object_get (options, "summary", &summary, NULL);
  g_assert_cmpstr (summary, ==, "Python · 30 s · 512 MiB");
}

static void
test_summary (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *summary = NULL;
  guint changes = 0;

  g_signal_connect_swapped (options, "notify::summary", G_CALLBACK (count_cb), &changes);
  g_object_set (options, "time-limit", (guint64) 0, "memory-limit", (guint64) 0, NULL);
  g_assert_cmpuint (changes, ==, 1);
  g_object_set (options, "language", "sh", "arguments", "x", NULL);
  g_assert_cmpuint (changes, ==, 2);
  g_object_get (options, "summary", &summary, NULL);
  g_assert_nonnull (strstr (summary, "no limit"));
  g_assert_null (strstr (summary, "MiB"));
}

static void
test_language_drops_interpreter (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  g_object_set (options, "interpreter", "/usr/bin/python3", NULL);
  g_object_set (options, "language", "python", NULL);
  g_assert_cmpstr (fh_run_options_get_interpreter (options), ==, "/usr/bin/python3");
  g_object_set (options, "language", "bash", NULL);
  g_assert_null (fh_run_options_get_interpreter (options));
  /* Unknown languages change nothing. */
  g_object_set (options, "language", "klingon", NULL);
  g_assert_cmpstr (fh_run_options_get_language (options)->id, ==, "bash");
}

static void
test_request (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  const char *const *arguments;

  g_object_set (options,
                "arguments",
                "-n 3 'two words'",
                "standard-input",
                "line\n",
                "time-limit",
                (guint64) 100,
                "memory-limit",
                (guint64) 16 << 20,
                NULL);
  request = fh_run_options_build_request (options, "print(1)", "one", FH_TIER_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_title (request), ==, "one");
  arguments = fh_run_request_get_arguments (request);
  g_assert_cmpuint (g_strv_length ((GStrv) arguments), ==, 3);
  g_assert_cmpstr (arguments[2], ==, "two words");
  g_assert_cmpuint (fh_run_request_get_limits (request)->wall_ms, ==, 100);
  g_assert_cmpuint (fh_run_request_get_limits (request)->processes, ==, 128);
  g_assert_cmpmem (g_bytes_get_data (fh_run_request_get_standard_input (request), NULL),
                   g_bytes_get_size (fh_run_request_get_standard_input (request)),
                   "line\n",
                   5);
}

static void
test_no_input_is_none (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunRequest) request =
      fh_run_options_build_request (options, "print(1)", NULL, FH_TIER_AUTO, NULL);

  g_assert_null (fh_run_request_get_standard_input (request));
  g_assert_null (fh_run_request_get_arguments (request)[0]);
}

static void
test_refusals (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *large = NULL;

  g_object_set (options, "arguments", "'open", NULL);
  g_assert_null (fh_run_options_build_request (options, "x", NULL, FH_TIER_AUTO, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_clear_error (&error);
  g_object_set (options, "arguments", "", "problem", "That is no time.", NULL);
  g_assert_null (fh_run_options_build_request (options, "x", NULL, FH_TIER_AUTO, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "That is no time.");
  g_clear_error (&error);
  g_object_set (options, "problem", NULL, NULL);
  large = g_strnfill (FH_RUN_REQUEST_MAX_SOURCE + 1, '#');
  g_assert_null (fh_run_options_build_request (options, large, NULL, FH_TIER_AUTO, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_TOO_LARGE);
}

/* What a request was made of comes back from it, odd arguments included. */
static void
test_round_trip (void)
{
  const char *const odd[] = { "plain", "two words", "it's", "$HOME", "", "a\\b", "*", NULL };
  g_autoptr (GBytes) source = g_bytes_new_static ("echo", 4);
  g_autoptr (GBytes) input = g_bytes_new_static ("in\377\n", 4);
  FhRunRequestInit init = {
    .language = fh_language_lookup ("sh"),
    .source = source,
    .interpreter = "/bin/dash",
    .arguments = odd,
    .standard_input = input,
    .limits = { .wall_ms = 0, .memory_bytes = (guint64) 64 << 20, .processes = 7 },
  };
  g_autoptr (FhRunRequest) request = fh_run_request_new (&init, NULL);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunRequest) again = NULL;
  const char *const *arguments;

  g_object_set (options, "arguments", "old", "standard-input", "old", NULL);
  fh_run_options_set_from_request (options, request);
  g_assert_cmpstr (fh_run_options_get_language (options)->id, ==, "sh");
  g_assert_cmpstr (fh_run_options_get_interpreter (options), ==, "/bin/dash");
  /* The panel shows text, so bytes that are none are replaced. */
  g_assert_cmpstr (fh_run_options_get_standard_input (options), ==, "in\357\277\275\n");

  again = fh_run_options_build_request (options, "echo", NULL, FH_TIER_AUTO, NULL);
  g_assert_nonnull (again);
  arguments = fh_run_request_get_arguments (again);
  g_assert_true (g_strv_equal (arguments, odd));
  g_assert_true (fh_run_limits_equal (fh_run_request_get_limits (again), &init.limits));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/run-options/defaults", test_defaults);
  g_test_add_func ("/app/run-options/summary", test_summary);
  g_test_add_func ("/app/run-options/language-drops-interpreter", test_language_drops_interpreter);
  g_test_add_func ("/app/run-options/request", test_request);
  g_test_add_func ("/app/run-options/no-input-is-none", test_no_input_is_none);
  g_test_add_func ("/app/run-options/refusals", test_refusals);
  g_test_add_func ("/app/run-options/round-trip", test_round_trip);
  return g_test_run ();
}
