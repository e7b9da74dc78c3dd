/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-language.h"

static void
assert_plain (const char *text, gboolean is_plain)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_test_message ("%s", text);
  g_assert_cmpint (fh_python_is_plain (lines), ==, is_plain);
}

static void
test_plain (void)
{
  assert_plain ("x = 1\ny = x*2\n", TRUE);
  assert_plain ("# Sum\nx = [1, 2]\n\nx += [3]  # more\ny = sum(x) if x else 'no'\n", TRUE);
  assert_plain ("x = 'it\\'s'\nprint(x)", TRUE);
}

/* Other languages, settings, and what programs print. */
static void
test_other (void)
{
  assert_plain ("", FALSE);
  assert_plain ("42\n", FALSE);
  assert_plain ("print(1)\n", FALSE);
  assert_plain ("host = localhost\n", FALSE);
  assert_plain ("x = 1;\n", FALSE);
  assert_plain ("int x = 1\n", FALSE);
  assert_plain ("x = c(1, 2)\n", FALSE);
  assert_plain ("x = true\n", FALSE);
  assert_plain ("x = 'a\n", FALSE);
  assert_plain ("x = 'a\\", FALSE);
  assert_plain ("x = 1 2\n", FALSE);
  assert_plain ("x =\n", FALSE);
  assert_plain ("x == 1\n", FALSE);
  assert_plain ("x += 1\n", FALSE);
  assert_plain ("print = 1\n", FALSE);
  assert_plain ("loss = 0.5\nDone in 3 s\n", FALSE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plain-python/plain", test_plain);
  g_test_add_func ("/plain-python/other", test_other);
  return g_test_run ();
}
