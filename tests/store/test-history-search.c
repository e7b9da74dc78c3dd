/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-search.h"

#include <string.h>

#include "stored-run.h"

static void
assert_found (FhTestHistory *fixture, const char *search, const char *expected)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (fixture->history, search, 0, 100, &error);
  g_autoptr (GString) ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    g_string_append_printf (ids,
                            "%s%d",
                            i ? " " : "",
                            (int) fh_history_entry_get_id (g_ptr_array_index (entries, i)));
  if (g_strcmp0 (ids->str, expected) != 0)
    {
      g_autofree char *escaped = g_strescape (search ? search : "", NULL);

      g_error ("\"%s\" found \"%s\", not \"%s\"", escaped, ids->str, expected);
    }
}

static void
test_where_words_are_found (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("import numpy\n");
  g_autoptr (FhRunResult) result = fh_test_result (1, "apples\n", "Traceback\n");

  g_assert_cmpint (fh_history_add (fixture->history, request, result, NULL), ==, 1);
  fh_test_add (fixture->history, 2, "import os\nos.getcwd ()\n", "bananas\n");
  assert_found (fixture, NULL, "2 1");
  assert_found (fixture, "", "2 1");
  assert_found (fixture, " \t\n ", "2 1");
  assert_found (fixture, "import", "2 1");
  assert_found (fixture, "numpy", "1");
  assert_found (fixture, "apples", "1");
  assert_found (fixture, "traceback", "1");
  assert_found (fixture, "TRACE", "1");
  assert_found (fixture, "import bananas", "2");
  assert_found (fixture, "bananas import", "2");
  assert_found (fixture, "apples bananas", "");
  assert_found (fixture, "os.getcwd", "2");
  assert_found (fixture, "os.get", "2");
  assert_found (fixture, "getcwd()", "2");
  assert_found (fixture, "ananas", "");
}

static void
test_nothing_has_a_meaning (FhTestHistory *fixture, gconstpointer data)
{
  static const char *const texts[] = {
    "\"",
    "\"\"",
    "\"\"\"",
    "*",
    "x*",
    "NEAR(",
    "NEAR(x y, 2)",
    "AND",
    "OR",
    "NOT",
    "x AND",
    "title:x",
    "-x",
    "^x",
    "{title}:x",
    "(",
    ")",
    "x + y",
    "'",
    "\\",
    "%",
    "_",
    "x\" OR \"y",
    ";",
    "--",
    "?",
    ":match",
    "$1",
    "\xff",
    "\xc3(",
    "x\xf0\x9f",
    "\x01",
    "\xe2\x80\xae",
    "\xf0\x9f\xa7\xaa",
    "x NEAR y",
    "rank:1",
    "run_words",
  };

  fh_test_add (fixture->history, 1, "plain", "");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_found (fixture, texts[i], "");
  for (int c = 1; c < 256; c++)
    {
      const char text[] = { (char) c, '\0' };
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) entries = fh_history_list (fixture->history, text, 0, 10, &error);

      g_assert_no_error (error);
      g_assert_nonnull (entries);
    }
}

static void
test_words_of_the_language_of_searching (FhTestHistory *fixture, gconstpointer data)
{
  fh_test_add (fixture->history, 1, "if x and y or not z: near (2)", "");
  fh_test_add (fixture->history, 2, "y", "");
  assert_found (fixture, "AND", "1");
  assert_found (fixture, "OR NOT NEAR", "1");
  assert_found (fixture, "NEAR(2)", "1");
}

static void
test_signs_are_found_too (FhTestHistory *fixture, gconstpointer data)
{
  fh_test_add (fixture->history, 1, "a == b", "100 %\n");
  fh_test_add (fixture->history, 2, "a = b", "a_b \\ c\n");
  fh_test_add (fixture->history, 3, "a \xe2\x86\x92 b", "\xf0\x9f\xa7\xaa\n");
  assert_found (fixture, "==", "1");
  assert_found (fixture, "=", "2 1");
  assert_found (fixture, "%", "1");
  assert_found (fixture, "_", "2");
  assert_found (fixture, "\\", "2");
  assert_found (fixture, "\xe2\x86\x92", "3");
  assert_found (fixture, "\xf0\x9f\xa7\xaa", "3");
  assert_found (fixture, "a ==", "1");
  assert_found (fixture, "== %", "1");
  assert_found (fixture, "== _", "");
}

static void
test_scripts (FhTestHistory *fixture, gconstpointer data)
{
  fh_test_add (fixture->history, 1, "# Größe und Café", "");
  fh_test_add (fixture->history, 2, "# 量子コンピュータの計算", "");
  fh_test_add (fixture->history, 3, "# Привет мир", "");
  assert_found (fixture, "größe", "1");
  assert_found (fixture, "cafe", "1");
  assert_found (fixture, "コンピュータ", "2");
  assert_found (fixture, "привет", "3");
  /* A space beyond ASCII. */
  assert_found (fixture,
                "größe\xe3\x80\x80"
                "caf",
                "1");
}

static void
test_long_texts (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *letters = g_strnfill (100000, 'x');
  g_autofree char *quotes = g_strnfill (100000, '"');
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GString) signs = g_string_new (NULL);

  fh_test_add (fixture->history, 1, "plain", "");
  for (guint i = 0; i < 5000; i++)
    {
      g_string_append (words, "p ");
      g_string_append (signs, "= ");
    }
  assert_found (fixture, letters, "");
  assert_found (fixture, quotes, "");
  assert_found (fixture, words->str, "1");
  assert_found (fixture, signs->str, "");
}

static void
test_deep_in_long_output (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (GString) output = g_string_new (NULL);

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (output, "line %u of many\n", i);
  g_string_append (output, "needle\n");
  fh_test_add (fixture->history, 1, "x", output->str);
  assert_found (fixture, "needle", "1");
  assert_found (fixture, "12345", "1");
}

static void
test_stopped_while_searching (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryDatabase) database = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GPtrArray) entries = NULL;
  GError *error = NULL;

  for (int i = 0; i < 300; i++)
    fh_test_add (fixture->history, i, "x = 1\n", "some words\n");
  database = fh_history_database_connect (fixture->path, &error);
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  fh_history_database_set_cancellable (database, cancellable);
  entries = fh_history_search_list (database, "= - + < >", 0, 300, &error);
  g_assert_null (entries);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  fh_history_database_set_cancellable (database, NULL);
  entries = fh_history_search_list (database, "=", 0, 300, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 300);
}

FH_FIXTURE_TESTS (FhTestHistory,
                  fh_test_history_set_up,
                  fh_test_history_tear_down,
                  { "/history-search/where-words-are-found", test_where_words_are_found },
                  { "/history-search/nothing-has-a-meaning", test_nothing_has_a_meaning },
                  { "/history-search/words-of-the-language-of-searching",
                    test_words_of_the_language_of_searching },
                  { "/history-search/signs-are-found-too", test_signs_are_found_too },
                  { "/history-search/scripts", test_scripts },
                  { "/history-search/long-texts", test_long_texts },
                  { "/history-search/deep-in-long-output", test_deep_in_long_output },
                  { "/history-search/stopped-while-searching", test_stopped_while_searching });
