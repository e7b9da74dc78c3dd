/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request.h"

#include <string.h>

#include "run-error.h"

static FhRunRequestInit
init_for (GBytes *source)
{
  return (FhRunRequestInit){
    .language = fh_language_lookup ("python"),
    .source = source,
    .limits = FH_RUN_LIMITS_DEFAULT,
  };
}

static void
test_everything_is_kept (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("print(1)\n", 9);
  g_autoptr (GBytes) input = g_bytes_new_static ("in\0put", 6);
  char *argument = g_strdup ("--x=\xff");
  const char *const arguments[] = { argument, "", NULL };
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  FhRunRequestInit init = init_for (source);

  init.title = "A title";
  init.interpreter = "/usr/bin/python3";
  init.arguments = arguments;
  init.standard_input = input;
  request = fh_run_request_new (&init, &error);
  g_free (argument);
  g_assert_no_error (error);
  g_assert_true (fh_run_request_get_parts (request)->language == init.language);
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (request)->source, source));
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (request)->standard_input, input));
  g_assert_cmpstr (fh_run_request_get_parts (request)->title, ==, "A title");
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter, ==, "/usr/bin/python3");
  g_assert_cmpuint (g_strv_length ((GStrv) fh_run_request_get_parts (request)->arguments), ==, 2);
  g_assert_cmpstr (fh_run_request_get_parts (request)->arguments[0], ==, "--x=\xff");
  g_assert_true (fh_run_limits_equal (&fh_run_request_get_parts (request)->limits, &init.limits));
}

static FhRunRequest *
request_with (const char *path, const FhContainerOptions *container, GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  FhRunRequestInit init = init_for (source);

  g_ptr_array_add (files, fh_run_file_new (path, source));
  init.files = files;
  init.container = container;
  return fh_run_request_new (&init, error);
}

/* Not where the user's own files are. */
static void
test_files (void)
{
  FhContainerOptions container = { .image = (char *) "python:3-slim" };
  g_autoptr (FhRunRequest) native = request_with ("a/b", NULL, NULL);
  g_autoptr (FhRunRequest) contained = request_with ("a/b", &container, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other_error = NULL;

  g_assert_cmpuint (fh_run_request_get_parts (native)->files->len, ==, 1);
  g_assert_nonnull (contained);
  g_assert_null (request_with ("main.py", NULL, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  container.work_dir = (char *) "/srv/work";
  g_assert_null (request_with ("a", &container, &other_error));
  g_assert_error (other_error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_least (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);
  FhRunRequestInit init = init_for (source);
  g_autoptr (FhRunRequest) request = NULL;
  g_autofree char *text = NULL;

  init.interpreter = "";
  request = fh_run_request_new (&init, NULL);
  g_assert_nonnull (request);
  text = fh_run_request_dup_source_text (request);
  g_assert_cmpstr (text, ==, "");
  g_assert_cmpstr (fh_run_request_get_parts (request)->title, ==, "Untitled");
  g_assert_null (fh_run_request_get_parts (request)->interpreter);
  g_assert_nonnull (fh_run_request_get_parts (request)->arguments);
  g_assert_null (fh_run_request_get_parts (request)->arguments[0]);
  g_assert_null (fh_run_request_get_parts (request)->standard_input);
}

static void
test_source_text (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("a\0b\xff\xfe\n", 6);
  FhRunRequestInit init = init_for (source);
  g_autoptr (FhRunRequest) request = fh_run_request_new (&init, NULL);
  g_autofree char *text = fh_run_request_dup_source_text (request);

  g_assert_cmpstr (text, ==, "a\u2400b\uFFFD\uFFFD\n");
}

static void
assert_refused (const FhRunRequestInit *init, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_run_request_new (init, &error));
  g_assert_error (error, FH_RUN_ERROR, code);
}

static void
test_large_source (void)
{
  g_autofree char *large = g_strnfill (FH_RUN_REQUEST_MAX_SOURCE + 1, 'x');
  g_autoptr (GBytes) over = g_bytes_new (large, FH_RUN_REQUEST_MAX_SOURCE + 1);
  g_autoptr (GBytes) just = g_bytes_new (large, FH_RUN_REQUEST_MAX_SOURCE);
  g_autoptr (FhRunRequest) request = NULL;
  FhRunRequestInit init = init_for (over);

  assert_refused (&init, FH_RUN_ERROR_TOO_LARGE);
  init.source = just;
  request = fh_run_request_new (&init, NULL);
  g_assert_nonnull (request);
}

static void
test_large_arguments (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);
  g_autofree char *long_argument = g_strnfill (128 * 1024, 'x');
  g_autofree const char **many = g_new0 (const char *, 2002);
  const char *const one[] = { "a", long_argument, NULL };
  const char *const sum[] = { long_argument + 1, long_argument + 1, NULL };
  FhRunRequestInit init = init_for (source);

  init.arguments = one;
  assert_refused (&init, FH_RUN_ERROR_TOO_LARGE);
  init.arguments = sum;
  assert_refused (&init, FH_RUN_ERROR_TOO_LARGE);
  for (guint i = 0; i < 2001; i++)
    many[i] = "a";
  init.arguments = many;
  assert_refused (&init, FH_RUN_ERROR_TOO_LARGE);
}

static void
test_senseless (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("", 0);
  FhRunRequestInit init = init_for (source);

  init.interpreter = "python3";
  assert_refused (&init, FH_RUN_ERROR_INTERPRETER);
  init.interpreter = NULL;
  init.limits.wall_ms = 1;
  assert_refused (&init, FH_RUN_ERROR_INVALID);
}

static FhRunRequest *
make_container_request (const FhContainerOptions *options,
                        const FhRunGuards *guards,
                        GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  FhRunRequestInit init = init_for (source);

  init.guards = guards;
  init.container = options;
  return fh_run_request_new (&init, error);
}

static void
assert_container_refused (const FhContainerOptions *options, FhRunGuards guards, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (make_container_request (options, &guards, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  if (strstr (error->message, part) == NULL)
    g_error ("“%s” is not in “%s”", part, error->message);
}

static void
test_guards_of_container (void)
{
  const FhContainerOptions plain = { 0 };
  const FhContainerOptions bad = { .image = "--privileged" };
  const char *const allowed[] = { "example.com", NULL };
  const FhRunGuards others = { .watch = FH_WATCH_FILES,
                               .without = 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_SYSTEM_CALLS,
                               .report_lines = TRUE };
  g_autoptr (FhRunRequest) request = make_container_request (&plain, &others, NULL);

  g_assert_nonnull (request);
  assert_container_refused (&bad, FH_RUN_GUARDS_DEFAULT, "not the name of an image");
  assert_container_refused (&plain, (FhRunGuards){ .tier = FH_TIER_LANDLOCK }, "a tier, not both");
  assert_container_refused (&plain,
                            (FhRunGuards){ .tier = FH_TIER_UNPROTECTED },
                            "is a protection");
  assert_container_refused (&plain, (FhRunGuards){ .tier = FH_TIER_CONTAINER }, "by its image");
  assert_container_refused (NULL, (FhRunGuards){ .tier = FH_TIER_CONTAINER }, "by its image");
  assert_container_refused (&plain, (FhRunGuards){ .allow_hosts = allowed }, "one by one");
  assert_container_refused (&plain,
                            (FhRunGuards){ .without = 1u << FH_GUARD_NETWORK },
                            "network guard of a container");
  assert_container_refused (&plain,
                            (FhRunGuards){ .without = 1u << FH_GUARD_ENVIRONMENT },
                            "single variables");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-request/everything-is-kept", test_everything_is_kept);
  g_test_add_func ("/run-request/files", test_files);
  g_test_add_func ("/run-request/least", test_least);
  g_test_add_func ("/run-request/source-text", test_source_text);
  g_test_add_func ("/run-request/large-source", test_large_source);
  g_test_add_func ("/run-request/large-arguments", test_large_arguments);
  g_test_add_func ("/run-request/senseless", test_senseless);
  g_test_add_func ("/run-request/guards-of-container", test_guards_of_container);
  return g_test_run ();
}
