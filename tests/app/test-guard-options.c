/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/guard-options.h"

#include "run-error.h"

static char *
get_text (FhGuardOptions *options, const char *property)
{
  char *text;

  g_object_get (options, property, &text, NULL);
  return text;
}

static void
test_default (void)
{
  g_autoptr (FhGuardOptions) options = fh_guard_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *notice = get_text (options, "notice");
  g_autofree char *problem = get_text (options, "problem");
  FhRunGuards guards;

  g_assert_true (fh_guard_options_get (options, &guards, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guards.watch, ==, FH_WATCH_ATTEMPTS);
  g_assert_cmpint (guards.tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (guards.without, ==, 0);
  g_assert_null (guards.allow_hosts[0]);
  g_assert_null (guards.imports);
  g_assert_cmpuint (guards.max_operations, ==, 0);
  g_assert_true (guards.report_lines);
  g_assert_null (notice);
  g_assert_null (problem);
}

static void
test_lists (void)
{
  g_autoptr (FhGuardOptions) options = fh_guard_options_new ();
  g_autoptr (GError) error = NULL;
  FhRunGuards guards;

  g_object_set (options,
                "hosts",
                " Example.com,  pypi.org ",
                "limit-imports",
                TRUE,
                "imports",
                "json, re",
                "operations",
                "1 000 000",
                NULL);
  g_assert_true (fh_guard_options_get (options, &guards, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (guards.allow_hosts[0], ==, "example.com");
  g_assert_cmpstr (guards.allow_hosts[1], ==, "pypi.org");
  g_assert_null (guards.allow_hosts[2]);
  g_assert_cmpstr (guards.imports[0], ==, "json");
  g_assert_cmpstr (guards.imports[1], ==, "re");
  g_assert_null (guards.imports[2]);
  g_assert_cmpuint (guards.max_operations, ==, 1000000);

  /* An empty list means that nothing may be imported. */
  g_object_set (options, "imports", "", NULL);
  g_assert_true (fh_guard_options_get (options, &guards, &error));
  g_assert_nonnull (guards.imports);
  g_assert_null (guards.imports[0]);
}

static void
assert_problem (const char *property, const char *text, const char *part)
{
  g_autoptr (FhGuardOptions) options = fh_guard_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *problem = NULL;
  FhRunGuards guards;

  g_object_set (options, "limit-imports", TRUE, property, text, NULL);
  g_assert_false (fh_guard_options_get (options, &guards, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  problem = get_text (options, "problem");
  g_assert_cmpstr (problem, ==, error->message);
  g_assert_nonnull (strstr (problem, part));
}

static void
test_problems (void)
{
  assert_problem ("hosts", "1.2.3.4", "1.2.3.4");
  assert_problem ("hosts", "http://example.com/", "http");
  assert_problem ("imports", "json a/b", "a/b");
  assert_problem ("operations", "many", "many");
  assert_problem ("operations", "-5", "-5");
}

static void
count_cb (GObject *object, GParamSpec *pspec, gpointer data)
{
  (*(guint *) data)++;
}

/* For one run, and never those that have no switch. */
static void
test_switches (void)
{
  g_autoptr (FhGuardOptions) options = fh_guard_options_new ();
  g_autofree char *notice = NULL;
  g_autofree char *after = NULL;
  guint n_notified = 0;

  g_signal_connect (options, "notify::notice", G_CALLBACK (count_cb), &n_notified);
  fh_guard_options_set_guard (options, FH_GUARD_NETWORK, FALSE);
  fh_guard_options_set_guard (options, FH_GUARD_MEMORY, FALSE);
  g_assert_cmpuint (n_notified, ==, 2);
  g_assert_false (fh_guard_options_has_guard (options, FH_GUARD_NETWORK));
  g_assert_true (fh_guard_options_has_guard (options, FH_GUARD_TIME));
  notice = get_text (options, "notice");
  g_assert_cmpstr (notice, ==, "The next run goes without: Network, Memory");
  fh_guard_options_set_guard (options, FH_GUARD_FILESYSTEM, FALSE);
  g_assert_true (fh_guard_options_has_guard (options, FH_GUARD_FILESYSTEM));
  fh_guard_options_restore (options);
  g_assert_cmpuint (fh_guard_options_get_without (options), ==, 0);
  after = get_text (options, "notice");
  g_assert_null (after);
}

/* A past run gives its choices, but not what it went without. */
static void
test_from_request (void)
{
  static const char *const hosts[] = { "example.com", NULL };
  static const char *const imports[] = { "math", NULL };
  g_autoptr (FhGuardOptions) options = fh_guard_options_new ();
  g_autofree char *shown = NULL;
  FhRunGuards past = {
    .watch = FH_WATCH_FILES,
    .tier = FH_TIER_UNPROTECTED,
    .without = 1u << FH_GUARD_TIME,
    .allow_hosts = hosts,
    .imports = imports,
    .limit_functions = TRUE,
    .max_operations = 5000,
  };
  FhRunGuards guards;

  fh_guard_options_set_from (options, &past);
  g_assert_true (fh_guard_options_get (options, &guards, NULL));
  g_assert_cmpint (guards.watch, ==, FH_WATCH_FILES);
  g_assert_cmpint (guards.tier, ==, FH_TIER_AUTO);
  g_assert_cmpuint (guards.without, ==, 0);
  g_assert_cmpstr (guards.allow_hosts[0], ==, "example.com");
  g_assert_cmpstr (guards.imports[0], ==, "math");
  g_assert_true (guards.limit_functions);
  g_assert_cmpuint (guards.max_operations, ==, 5000);
  shown = get_text (options, "operations");
  g_assert_cmpstr (shown, ==, "5000");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard-options/default", test_default);
  g_test_add_func ("/guard-options/lists", test_lists);
  g_test_add_func ("/guard-options/problems", test_problems);
  g_test_add_func ("/guard-options/switches", test_switches);
  g_test_add_func ("/guard-options/from-request", test_from_request);
  return g_test_run ();
}
