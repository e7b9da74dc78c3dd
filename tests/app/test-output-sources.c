/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-sources.h"

#include <string.h>

#include "fh-test.h"

/* "line, number": of what is found. */
static void
assert_found (GPtrArray *sources, const char *line, const char *expected)
{
  FhSourcePlace place = { 0 };
  g_autofree char *found = NULL;

  if (fh_output_sources_find (sources, line, strlen (line), &place))
    found = g_strdup_printf ("%u, %u", place.line, place.cell);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_find (void)
{
  g_autoptr (GPtrArray) sources = fh_output_sources_new ();

  assert_found (sources, "  File \"main.py\", line 3", NULL);
  fh_output_sources_add (sources, "main.py", 0);
  fh_output_sources_add (sources, "lib/tools.py", 2);
  fh_output_sources_add (sources, FH_TRACEBACK_CELL, 0);
  assert_found (sources, "  File \"/workspace/main.py\", line 3, in f", "3, 0");
  assert_found (sources, "  File \"/workspace/lib/tools.py\", line 4, in f", "4, 2");
  assert_found (sources, "  File \"/workspace/tools.py\", line 4, in f", NULL);
  assert_found (sources, "  File \"<cell 7>\", line 5, in f", "5, 7");
}

static void
test_limits (void)
{
  g_autoptr (GPtrArray) sources = fh_output_sources_new ();

  /* The first one counts. */
  fh_output_sources_add (sources, "a.py", 1);
  fh_output_sources_add (sources, "a.py", 2);
  g_assert_cmpuint (sources->len, ==, 1);
  assert_found (sources, "a.py:9:1", "9, 1");
  for (guint i = 0; i < 2 * FH_OUTPUT_SOURCES_MAX; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.py", i);

      fh_output_sources_add (sources, name, i);
    }
  g_assert_cmpuint (sources->len, ==, FH_OUTPUT_SOURCES_MAX);
}

FH_TESTS ({ "/output-sources/find", test_find }, { "/output-sources/limits", test_limits });
