/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-options.h"

static void
parse (FhRunOptions *options, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_option_parse (fh_run_option_find (key), options, text, &error));
  g_assert_no_error (error);
}

static void
test_describe (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *nothing = fh_run_options_describe (options);
  g_autofree char *all = NULL;

  g_assert_cmpstr (nothing, ==, "");
  parse (options, "in_container", "yes");
  parse (options, "container.network", "bridge");
  parse (options, "limits.cpu_ms", "90");
  parse (options, "guards.watch", "off");
  parse (options, "guards.no_files", "yes");
  all = fh_run_options_describe (options);
  g_assert_cmpstr (all,
                   ==,
                   "Container: python:3-slim, network bridge; CPU Time: 1 min 30 s; "
                   "Watch: Nothing; Discard Files");
}

/* The usual limits are told as well. */
static void
test_summarize (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *usual = fh_run_options_summarize (options);
  g_autofree char *all = NULL;

  g_assert_cmpstr (usual, ==, "Time: 30 s; Memory: 512 MiB");
  parse (options, "limits.wall_ms", "5");
  parse (options, "limits.cpu_ms", "90");
  all = fh_run_options_summarize (options);
  g_assert_cmpstr (all, ==, "Time: 5 s; Memory: 512 MiB; CPU Time: 1 min 30 s");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-options-text/describe", test_describe);
  g_test_add_func ("/run-options-text/summarize", test_summarize);
  return g_test_run ();
}
