/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suggestion.h"

#include "fh-test.h"

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

FH_TESTS ({ "/suggestion/close", test_close }, { "/suggestion/far", test_far });
