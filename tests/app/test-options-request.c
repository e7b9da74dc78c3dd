/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options.h"

#include "fh-test.h"
#include "option-samples.h"
#include "run-error.h"

static void
count_cb (guint *count)
{
  (*count)++;
}

static FhRunRequest *
build (FhOptions *options, GError **error)
{
  return option_samples_build (options, "x", error);
}

static FhRunRequest *
build_valid (FhOptions *options)
{
  g_autoptr (GError) error = NULL;
  FhRunRequest *request = build (options, &error);

  g_assert_no_error (error);
  return request;
}

/* Each option by itself: set, taken over by other options, sent with a request and back. */
static void
test_every_row (void)
{
  guint n;
  const FhRunOption *row = fh_run_option_list (&n);

  for (; n > 0; n--, row++)
    {
      g_autoptr (FhOptions) options = fh_options_new ();
      g_autoptr (FhOptions) copy = fh_options_new ();
      g_autoptr (FhOptions) again = fh_options_new ();
      g_autoptr (FhRunOptions) values = NULL;
      g_autoptr (FhRunOptions) copied = NULL;
      g_autoptr (FhRunOptions) reopened = NULL;
      g_autoptr (FhRunRequest) request = NULL;

      g_test_message ("%s", row->key);
      if (!option_samples_set (options, row))
        continue;
      values = fh_options_dup_values (options);
      g_assert_false (fh_run_option_is_default (row, values));
      fh_options_set_values (copy, values);
      copied = fh_options_dup_values (copy);
      g_assert_true (fh_run_options_equal (copied, values));
      request = build_valid (options);
      fh_options_set_from_request (again, request);
      reopened = fh_options_dup_values (again);
      /* Whether a run is kept is not a part of the run. */
      reopened->no_history = values->no_history;
      g_assert_true (fh_run_options_equal (reopened, values));
    }
}

static void
test_request (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)", 8);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  const char *const *arguments;

  g_object_set (options,
                "arguments",
                "-n 3 'two words'",
                "standard-input",
                "line\n",
                "limits-wall-ms",
                (guint64) 100,
                "limits-memory-bytes",
                (guint64) 16 << 20,
                NULL);
  request = fh_options_build_request (options, source, "one", NULL, FH_TIER_AUTO, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_parts (request)->title, ==, "one");
  arguments = fh_run_request_get_parts (request)->arguments;
  g_assert_cmpuint (g_strv_length ((GStrv) arguments), ==, 3);
  g_assert_cmpstr (arguments[2], ==, "two words");
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.wall_ms, ==, 100);
  g_assert_cmpuint (fh_run_request_get_parts (request)->limits.processes, ==, 128);
  g_assert_cmpmem (g_bytes_get_data (fh_run_request_get_parts (request)->standard_input, NULL),
                   g_bytes_get_size (fh_run_request_get_parts (request)->standard_input),
                   "line\n",
                   5);
}

static void
assert_refused (FhOptions *options, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (build (options, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refusals (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  const FhRunOption *row = fh_run_option_find ("limits.wall_ms");
  g_autoptr (GError) error = NULL;
  g_autofree char *large = NULL;

  g_object_set (options, "arguments", "'open", NULL);
  assert_refused (options, "arguments");
  g_object_set (options, "arguments", "", NULL);
  fh_options_set_problem (options, row, "That is no time.");
  assert_refused (options, "That is no time.");
  fh_options_set_problem (options, row, NULL);
  large = g_strnfill (FH_RUN_REQUEST_MAX_SOURCE + 1, '#');
  g_assert_null (option_samples_build (options, large, &error));
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
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunRequest) again = NULL;
  g_autofree char *interpreter = NULL;
  g_autofree char *shown = NULL;

  g_object_set (options, "arguments", "old", "standard-input", "old", NULL);
  fh_options_set_from_request (options, request);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "sh");
  interpreter = option_samples_get_text (options, "interpreter");
  g_assert_cmpstr (interpreter, ==, "/bin/dash");
  /* The panel shows text, so bytes that are none are replaced. */
  shown = option_samples_get_text (options, "standard-input");
  g_assert_cmpstr (shown, ==, "in\357\277\275\n");
  again = build_valid (options);
  g_assert_true (g_strv_equal (fh_run_request_get_parts (again)->arguments, odd));
  g_assert_true (fh_run_limits_equal (&fh_run_request_get_parts (again)->limits, &init.limits));
}

/* A past run brings all of its choices back, also those without a control; its folder goes with
 * the place that the engine knew it by. */
static void
test_past_container (void)
{
  const FhContainerOptions container = {
    .image = "plain",
    .no_pull = TRUE,
    .work_dir = "/home/me",
    .bind_dir = "/mnt/me",
    .files = FH_CONTAINER_FILES_BIND,
  };
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = source,
    .interpreter = "python3.9",
    .limits = FH_RUN_LIMITS_DEFAULT,
    .container = &container,
  };
  g_autoptr (FhRunRequest) inside = fh_run_request_new (&init, NULL);
  g_autoptr (FhRunRequest) here = NULL;
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (FhRunOptions) moved = NULL;
  g_autofree char *image = NULL;
  guint serials = 0;

  g_signal_connect_swapped (options, "notify::serial", G_CALLBACK (count_cb), &serials);
  fh_options_set_from_request (options, inside);
  g_assert_cmpuint (serials, ==, 1);
  g_assert_true (fh_options_is_in_container (options));
  values = fh_options_dup_run_values (options);
  g_assert_cmpstr (values->interpreter, ==, "python3.9");
  g_assert_true (values->container.no_pull);
  g_assert_cmpstr (values->container.bind_dir, ==, "/mnt/me");
  g_assert_cmpint (values->container.files, ==, FH_CONTAINER_FILES_BIND);

  g_object_set (options, "container-work-dir", "/home/other", NULL);
  moved = fh_options_dup_run_values (options);
  g_assert_null (moved->container.bind_dir);
  g_assert_cmpint (moved->container.files, ==, FH_CONTAINER_FILES_AUTO);

  init.container = NULL;
  init.interpreter = NULL;
  here = fh_run_request_new (&init, NULL);
  fh_options_set_from_request (options, here);
  g_assert_false (fh_options_is_in_container (options));
  image = option_samples_get_text (options, "container-image");
  g_assert_cmpstr (image, ==, "plain");
}

/* Nothing blocks sockets without protection, and the request does not claim it. */
static void
test_unprotected (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunOptions) values = fh_options_dup_values (options);
  static const FhTier tiers[] = { FH_TIER_AUTO, FH_TIER_UNPROTECTED };

  values->guards.no_sockets = TRUE;
  fh_options_set_values (options, values);
  for (guint i = 0; i < G_N_ELEMENTS (tiers); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FhRunRequest) request =
          fh_options_build_request (options, source, NULL, NULL, tiers[i], &error);

      g_assert_no_error (error);
      g_assert_cmpint (fh_run_request_get_parts (request)->guards->no_sockets, ==, i == 0);
    }
}

FH_TESTS ({ "/app/options-request/every-row", test_every_row },
          { "/app/options-request/request", test_request },
          { "/app/options-request/refusals", test_refusals },
          { "/app/options-request/round-trip", test_round_trip },
          { "/app/options-request/past-container", test_past_container },
          { "/app/options-request/unprotected", test_unprotected });
