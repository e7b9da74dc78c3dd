/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "traceback-parser.h"

#include <string.h>

typedef struct
{
  const char *line;
  const char *file_name;
  guint number; /* 0: nothing is to be found */
  guint column;
  const char *named;
} Case;

static void
check_cases (const Case *cases, gsize count)
{
  for (gsize i = 0; i < count; i++)
    {
      const Case *c = &cases[i];
      FhSourcePlace place = { 0 };
      gboolean found = fh_traceback_find (c->line, strlen (c->line), c->file_name, &place);
      g_autofree char *named = NULL;

      g_test_message ("%s", c->line);
      g_assert_cmpint (found, ==, c->number > 0);
      if (!found)
        continue;
      g_assert_cmpuint (place.line, ==, c->number);
      g_assert_cmpuint (place.column, ==, c->column);
      g_assert_cmpuint (place.end, <=, strlen (c->line));
      named = g_strndup (c->line + place.start, place.end - place.start);
      g_assert_cmpstr (named, ==, c->named);
    }
}

static void
test_cells (void)
{
  static const struct
  {
    const char *line;
    guint cell; /* 0: nothing is to be found */
    guint number;
  } cases[] = {
    { "  File \"<cell 3>\", line 2, in <module>", 3, 2 },
    { "  File \"<cell 12>\", line 1", 12, 1 },
    { "<cell 4>:7: DeprecationWarning: old", 4, 7 },
    { "  File \"<cell 0>\", line 2", 0, 0 },
    { "  File \"<cell 3x>\", line 2", 0, 0 },
    { "  File \"<cell 3\", line 2", 0, 0 },
    { "  File \"<cell >\", line 2", 0, 0 },
    { "  File \"<cell 3>\", line x", 0, 0 },
    { "  File \"<cell 99999999999999999999>\", line 1", 0, 0 },
    { "<cell <cell 5>, line 6", 5, 6 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FhSourcePlace place = { 0 };
      const char *line = cases[i].line;

      g_test_message ("%s", line);
      g_assert_cmpint (fh_traceback_find (line, strlen (line), FH_TRACEBACK_CELL, &place),
                       ==,
                       cases[i].cell > 0);
      g_assert_cmpuint (place.cell, ==, cases[i].cell);
      g_assert_cmpuint (place.line, ==, cases[i].number);
    }
}

static void
test_python (void)
{
#define HERE "File \"/workspace/main.py\", line 3"
  static const Case cases[] = {
    { "  " HERE ", in <module>", "main.py", 3, 0, HERE },
    { "  " HERE, "main.py", 3, 0, HERE }, /* a SyntaxError's block */
    { "  " HERE "\n", "main.py", 3, 0, HERE },
    { "  | " HERE ", in f", "main.py", 3, 0, HERE }, /* an exception group */
    { "  File \"main.py\", line 12, in f", "main.py", 12, 0, "File \"main.py\", line 12" },
    { "  File \"./main.py\", line 1", "main.py", 1, 0, "File \"./main.py\", line 1" },
    { "SyntaxError: bad (main.py, line 7)", "main.py", 7, 0, "main.py, line 7" },
    { "/workspace/main.py:4: DeprecationWarning: old", "main.py", 4, 0, "/workspace/main.py:4" },
    { "Traceback (most recent call last):", "main.py", 0, 0, NULL },
    { "  File \"<string>\", line 3, in <module>", "main.py", 0, 0, NULL },
    { "  File \"/usr/lib/python3.11/main.py\", line 3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/domain.py\", line 3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/main.pyc\", line 3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/pkg/main.py\", line 3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/main.py\", line x", "main.py", 0, 0, NULL },
    { "  File \"/workspace/fumehood-01abcdef-main.py\", line 3",
      "main.py",
      3,
      0,
      "File \"/workspace/fumehood-01abcdef-main.py\", line 3" }, /* in a folder of the user's */
    { "  File \"/workspace/fumehood-01abcdeg-main.py\", line 3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/xfumehood-01abcdef-main.py\", line 3", "main.py", 0, 0, NULL },
    { "-main.py:3", "main.py", 0, 0, NULL },
    { "  File \"/workspace/main.py\", line 0", "main.py", 0, 0, NULL },
  };
#undef HERE

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_shells (void)
{
  static const Case cases[] = {
    { "main.sh: line 3: foo: command not found", "main.sh", 3, 0, "main.sh: line 3" },
    { "/workspace/main.sh: line 5: syntax error", "main.sh", 5, 0, "/workspace/main.sh: line 5" },
    { "./main.sh: line 5: x", "main.sh", 5, 0, "./main.sh: line 5" },
    { "/workspace/main.sh: 3: foo: not found", "main.sh", 3, 0, "/workspace/main.sh: 3" },
    { "main.sh: 3: Syntax error: \"(\" unexpected", "main.sh", 3, 0, "main.sh: 3" },
    { "main.sh: 3 tests failed", "main.sh", 0, 0, NULL },
    { "main.sh: not found", "main.sh", 0, 0, NULL },
    { "main.sh: line three", "main.sh", 0, 0, NULL },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_colons (void)
{
  static const Case cases[] = {
    { "main.py:3:7: E501 line too long", "main.py", 3, 7, "main.py:3:7" },
    { "main.py:3", "main.py", 3, 0, "main.py:3" },
    { "at f (/workspace/main.js:10:21)", "main.js", 10, 21, "/workspace/main.js:10:21" },
    { "    at file:///workspace/main.js:3:7", "main.js", 3, 7, "file:///workspace/main.js:3:7" },
    { "main.py:3:x", "main.py", 3, 0, "main.py:3" },
    { "main.py:3:0", "main.py", 3, 0, "main.py:3" },
    { "main.py:", "main.py", 0, 0, NULL },
    { "main.py:30px", "main.py", 0, 0, NULL },
    { "main.py:-3", "main.py", 0, 0, NULL },
    { "main.py main.py:8", "main.py", 8, 0, "main.py:8" },
    { "main.py:main.py: main.py:8", "main.py", 8, 0, "main.py:8" },
    { "xmain.py:3 main.py:4", "main.py", 4, 0, "main.py:4" },
    { "main.py:99999999999999999999", "main.py", 0, 0, NULL },
    { "main.py:4294967296", "main.py", 0, 0, NULL },
    { "grüße.py:3", "grüße.py", 3, 0, "grüße.py:3" },
    { "", "main.py", 0, 0, NULL },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_hostile (void)
{
  g_autofree char *names = g_malloc (1 << 20);
  const char *with_nul = "\0main.py:3";
  FhSourcePlace place = { .line = 77 };
  gint64 begin;

  for (gsize i = 0; i + 7 <= 1 << 20; i += 7)
    memcpy (names + i, "main.py", 7);
  begin = g_get_monotonic_time ();
  for (int i = 0; i < 1000; i++)
    g_assert_false (fh_traceback_find (names, 1 << 20, "main.py", &place));
  /* A line of any length costs next to nothing: a second for a thousand is generous. */
  g_assert_cmpint (g_get_monotonic_time () - begin, <, G_USEC_PER_SEC * 10);
  g_assert_cmpuint (place.line, ==, 77);
  g_assert_false (fh_traceback_find (with_nul, 10, "main.py", &place));
  g_assert_false (fh_traceback_find (NULL, 0, "main.py", &place));
}

/* Nothing behind the given size is read: a copy of that size tells under ASan. */
static void
test_cut_anywhere (void)
{
  static const char line[] = "File \"/workspace/main.py\", line 35:12";

  for (gsize size = 0; size < sizeof line; size++)
    {
      g_autofree char *copy = g_memdup2 (line, size);
      FhSourcePlace place;

      if (fh_traceback_find (copy, size, "main.py", &place))
        g_assert_cmpuint (place.end, <=, size);
      else
        g_assert_cmpuint (size, <, strlen ("File \"/workspace/main.py\", line 3"));
    }
}

static void
test_begins (void)
{
  g_assert_true (fh_traceback_begins ("Traceback (most recent call last):\n  File \"a.py\"\n"));
  g_assert_true (fh_traceback_begins ("\n  Traceback (most recent call last):"));
  g_assert_false (fh_traceback_begins (""));
  g_assert_false (fh_traceback_begins ("# Traceback (most recent call last):\nx = 1\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traceback-parser/python", test_python);
  g_test_add_func ("/traceback-parser/cells", test_cells);
  g_test_add_func ("/traceback-parser/shells", test_shells);
  g_test_add_func ("/traceback-parser/colons", test_colons);
  g_test_add_func ("/traceback-parser/hostile", test_hostile);
  g_test_add_func ("/traceback-parser/cut-anywhere", test_cut_anywhere);
  g_test_add_func ("/traceback-parser/begins", test_begins);
  return g_test_run ();
}
