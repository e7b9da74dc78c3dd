/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options.h"

#include "controls/option-text.h"
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

static void
test_defaults (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();
  g_autoptr (FhRunOptions) values = fh_options_dup_values (options);
  g_autofree char *arguments = option_samples_get_text (options, "arguments");
  g_autofree char *input = option_samples_get_text (options, "standard-input");
  g_autofree char *place = option_samples_get_text (options, "place");
  g_autofree char *problem = option_samples_get_text (options, "problem");
  g_autofree char *notice = option_samples_get_text (options, "notice");
  g_autoptr (FhRunRequest) request = build_valid (options);

  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "python");
  g_assert_cmpstr (arguments, ==, "");
  g_assert_cmpstr (input, ==, "");
  g_assert_cmpstr (place, ==, "This Computer");
  g_assert_null (problem);
  g_assert_null (notice);
  /* The lines of attempts are reported as long as attempts are. */
  g_assert_true (values->guards.report_lines);
  values->guards.report_lines = FALSE;
  g_assert_true (fh_run_options_equal (values, defaults));
  g_assert_null (fh_run_request_get_parts (request)->container);
  g_assert_null (fh_run_request_get_parts (request)->standard_input);
  g_assert_null (fh_run_request_get_parts (request)->arguments[0]);
}

static void
test_place (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autofree char *given = NULL;
  g_autofree char *inside = NULL;
  guint changes = 0;

  g_signal_connect_swapped (options, "notify::place", G_CALLBACK (count_cb), &changes);
  g_object_set (options, "limits-wall-ms", (guint64) 0, "limits-memory-bytes", (guint64) 0, NULL);
  g_assert_cmpuint (changes, ==, 1);
  g_object_set (options, "language", "sh", "arguments", "x", NULL);
  g_assert_cmpuint (changes, ==, 2);
  /* No row shows it. */
  g_object_set (options, "work-dir", "/srv/mine", NULL);
  given = option_samples_get_text (options, "place");
  g_assert_nonnull (strstr (given, "write access to the folder “/srv/mine”"));
  g_object_set (options, "work-dir", "", NULL);
  g_object_set (options, "in-container", TRUE, NULL);
  inside = option_samples_get_text (options, "place");
  g_assert_nonnull (strstr (inside, FH_CONTAINER_DEFAULT_IMAGE));
}

static void
test_language_drops_interpreter (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autofree char *kept = NULL;
  g_autofree char *dropped = NULL;
  g_autofree char *inside = NULL;

  g_object_set (options,
                "interpreter",
                "/usr/bin/python3",
                "interpreter-inside",
                "python3.9",
                "language",
                "python",
                NULL);
  kept = option_samples_get_text (options, "interpreter");
  g_assert_cmpstr (kept, ==, "/usr/bin/python3");
  g_object_set (options, "language", "bash", NULL);
  dropped = option_samples_get_text (options, "interpreter");
  g_assert_cmpstr (dropped, ==, "");
  inside = option_samples_get_text (options, "interpreter-inside");
  g_assert_cmpstr (inside, ==, "");
  /* Unknown languages change nothing. */
  g_object_set (options, "language", "klingon", NULL);
  g_assert_cmpstr (fh_options_get_language (options)->id, ==, "bash");
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
test_lists (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (FhRunOptions) none = NULL;

  g_object_set (options,
                "guards-allow-hosts",
                " Example.com.,  bücher.example ",
                "limit-imports",
                TRUE,
                "guards-imports",
                "json, re",
                NULL);
  values = fh_options_dup_run_values (options);
  g_assert_cmpstr (values->guards.allow_hosts[0], ==, "example.com");
  g_assert_cmpstr (values->guards.allow_hosts[1], ==, "xn--bcher-kva.example");
  g_assert_null (values->guards.allow_hosts[2]);
  g_assert_cmpstr (values->guards.imports[0], ==, "json");
  g_assert_cmpstr (values->guards.imports[1], ==, "re");
  g_assert_null (values->guards.imports[2]);

  /* An empty list means that nothing may be imported. */
  g_object_set (options, "guards-imports", "", NULL);
  none = fh_options_dup_run_values (options);
  g_assert_nonnull (none->guards.imports);
  g_assert_null (none->guards.imports[0]);
}

/* The default list is there to begin with, and is not used before it is wanted. */
static void
test_default_imports (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) all = fh_options_dup_run_values (options);
  g_autoptr (FhRunOptions) limited = NULL;

  g_assert_null (all->guards.imports);
  g_object_set (options, "limit-imports", TRUE, NULL);
  limited = fh_options_dup_run_values (options);
  g_assert_true (g_strv_equal (limited->guards.imports, fh_run_guards_default_imports ()));
}

static void
test_problems (void)
{
  const struct
  {
    const char *property;
    const char *text;
  } wrong[] = {
    { "guards-allow-hosts", "1.2.3.4" },
    { "guards-allow-hosts", "http://example.com/" },
    { "guards-imports", "json a/b" },
    { "container-image", "--privileged" },
    { "container-image", "Not An Image" },
    { "container-network", "container:other" },
    { "container-volumes", "/:/all" },
    { "container-volumes", "relative:/x" },
    { "container-environment", "no equals sign" },
    { "container-hosts", "nothing" },
    { "container-gpus", "--all" },
    { "container-work-dir", "not/absolute" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (FhOptions) options = fh_options_new ();
      gboolean is_inside = g_str_has_prefix (wrong[i].property, "container-");
      g_autofree char *problem = NULL;
      g_autofree char *part = NULL;
      g_autofree char *elsewhere = NULL;

      g_test_message ("%s: %s", wrong[i].property, wrong[i].text);
      g_object_set (options, wrong[i].property, wrong[i].text, NULL);
      /* It does not matter where it does not apply. */
      g_object_set (options, "in-container", !is_inside, NULL);
      elsewhere = option_samples_get_text (options, "problem");
      g_assert_null (elsewhere);
      g_object_set (options, "in-container", is_inside, "limit-imports", TRUE, NULL);
      problem = option_samples_get_text (options, "problem");
      g_assert_nonnull (problem);
      assert_refused (options, problem);
      part = option_samples_get_text (options, is_inside ? "container-problem" : "guards-problem");
      g_assert_cmpstr (part, ==, problem);
    }
}

/* Some guards have no switch; all are on again after the run. */
static void
test_switches (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autofree char *notice = NULL;
  g_autofree char *after = NULL;
  guint n_notified = 0;
  guint without;

  g_signal_connect_swapped (options, "notify::notice", G_CALLBACK (count_cb), &n_notified);
  g_object_set (options,
                "guards-without",
                1u << FH_GUARD_NETWORK | 1u << FH_GUARD_MEMORY | 1u << FH_GUARD_FILESYSTEM,
                NULL);
  g_assert_cmpuint (n_notified, ==, 1);
  g_object_get (options, "guards-without", &without, NULL);
  g_assert_cmpuint (without, ==, 1u << FH_GUARD_NETWORK | 1u << FH_GUARD_MEMORY);
  notice = option_samples_get_text (options, "notice");
  g_assert_cmpstr (notice, ==, "Switched off for the next run: Network, Memory");
  /* A container has a network of its own. */
  g_object_set (options, "in-container", TRUE, NULL);
  g_object_get (options, "guards-without", &without, NULL);
  g_assert_cmpuint (without, ==, 1u << FH_GUARD_MEMORY);
  fh_options_end_run (options);
  g_object_get (options, "guards-without", &without, NULL);
  g_assert_cmpuint (without, ==, 0);
  after = option_samples_get_text (options, "notice");
  g_assert_null (after);
}

/* A past run gives its choices, but not what it went without. */
static void
test_for_one_run (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) past = fh_run_options_new ();
  g_autoptr (FhRunOptions) values = NULL;

  past->guards.tier = FH_TIER_UNPROTECTED;
  past->guards.without = 1u << FH_GUARD_TIME;
  past->guards.watch = FH_WATCH_FILES;
  past->guards.no_files = TRUE;
  past->guards.max_operations = 5000;
  fh_options_set_values (options, past);
  values = fh_options_dup_values (options);
  g_assert_cmpint (values->guards.tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (values->guards.without, ==, 0);
  g_assert_cmpint (values->guards.watch, ==, FH_WATCH_FILES);
  g_assert_true (values->guards.no_files);
  g_assert_cmpuint (values->guards.max_operations, ==, 5000);
}

/* A name and what becomes of it are said of a container that is kept, and of no other. */
static void
test_kept (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  g_autoptr (FhRunOptions) once = NULL;
  g_autoptr (FhRunOptions) kept = NULL;

  g_object_set (options,
                "in-container",
                TRUE,
                "container-name",
                " mine ",
                "container-after",
                FH_CONTAINER_STOP,
                "container-init",
                "true",
                NULL);
  once = fh_options_dup_run_values (options);
  g_assert_null (once->container.name);
  g_assert_null (once->container.init);
  g_assert_cmpint (once->container.after, ==, FH_CONTAINER_REMOVE);
  g_object_set (options, "container-kept", TRUE, NULL);
  kept = fh_options_dup_run_values (options);
  g_assert_cmpstr (kept->container.name, ==, "mine");
  g_assert_cmpstr (kept->container.init, ==, "true");
  g_assert_cmpint (kept->container.after, ==, FH_CONTAINER_STOP);
}

/* All that lets something in or out is told. */
static void
test_container_notice (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  const char *const told[] = { "“bridge”", "/home/me/work",   "2 volumes",
                               "graphics", "image’s folders", "root" };
  g_autofree char *none = NULL;
  g_autofree char *notice = NULL;

  g_object_set (options,
                "in-container",
                TRUE,
                "container-image",
                "x",
                "container-kept",
                TRUE,
                "container-milli-cpus",
                (guint64) 500,
                NULL);
  none = option_samples_get_text (options, "container-notice");
  g_assert_null (none);
  g_object_set (options,
                "container-network",
                "bridge",
                "container-work-dir",
                "/home/me/work",
                "container-volumes",
                "/a:/a\n/b:/b:rw",
                "container-gpus",
                "all",
                "container-writable",
                TRUE,
                "container-root",
                TRUE,
                NULL);
  notice = option_samples_get_text (options, "container-notice");
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_assert_nonnull (strstr (notice, told[i]));
}

/* What a draft does not keep schedules none. */
static void
test_kept_in_drafts (void)
{
  g_autoptr (FhOptions) options = fh_options_new ();
  GObjectClass *klass = G_OBJECT_GET_CLASS (options);
  const char *const kept[] = { "language",   "arguments",         "guards-allow-hosts",
                               "no-history", "limits-disk-bytes", "container-volumes" };
  const char *const not_kept[] = { "problem", "place", "serial", "guards-without" };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (fh_options_is_kept (g_object_class_find_property (klass, kept[i])));
  for (guint i = 0; i < G_N_ELEMENTS (not_kept); i++)
    g_assert_false (fh_options_is_kept (g_object_class_find_property (klass, not_kept[i])));
}

FH_TESTS ({ "/app/options/defaults", test_defaults },
          { "/app/options/place", test_place },
          { "/app/options/language-drops-interpreter", test_language_drops_interpreter },
          { "/app/options/lists", test_lists },
          { "/app/options/default-imports", test_default_imports },
          { "/app/options/problems", test_problems },
          { "/app/options/switches", test_switches },
          { "/app/options/for-one-run", test_for_one_run },
          { "/app/options/kept", test_kept },
          { "/app/options/container-notice", test_container_notice },
          { "/app/options/kept-in-drafts", test_kept_in_drafts });
