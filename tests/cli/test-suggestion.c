/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suggestion.h"

static const char *const words[] = { "run", "batch", "history", "--timeout", "--time", NULL };

static void
test_close (void)
{
  g_assert_cmpstr (fh_suggestion_find ("histroy", words), ==, "history");
  g_assert_cmpstr (fh_suggestion_find ("runn", words), ==, "run");
  g_assert_cmpstr (fh_suggestion_find ("--tiemout", words), ==, "--timeout");
  g_assert_cmpstr (fh_suggestion_find ("--tim", words), ==, "--time");
  g_assert_cmpstr (fh_suggestion_find ("batch", words), ==, "batch");
}

static void
test_far (void)
{
  g_autofree char *long_word = g_strnfill (10000, 'r');

  g_assert_null (fh_suggestion_find ("frobnicate", words));
  g_assert_null (fh_suggestion_find ("x", words));
  g_assert_null (fh_suggestion_find ("", words));
  g_assert_null (fh_suggestion_find (long_word, words));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/suggestion/close", test_close);
  g_test_add_func ("/suggestion/far", test_far);
  return g_test_run ();
}
