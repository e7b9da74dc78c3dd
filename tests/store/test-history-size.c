/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <sys/stat.h>

#include "stored-run.h"

/* A large history, of $FH_HISTORY_RUNS runs or 4000. Times are printed, but the test does not
 * depend on them. */

static const char *const verbs[] = { "load", "parse", "sort", "plot", "count", "merge", "split" };
static const char *const nouns[] = {
  "prices", "graph", "matrix", "words", "primes", "dates", "files", "tree", "table", "image",
};

static void
add_run (FhHistory *history, guint number)
{
  const char *verb = verbs[number % G_N_ELEMENTS (verbs)];
  const char *noun = nouns[number / 7 % G_N_ELEMENTS (nouns)];
  g_autofree char *source = g_strdup_printf ("import sys, json\n\n"
                                             "def %s_%s (rows):\n"
                                             "    total = 0\n"
                                             "    for number, row in enumerate (rows):\n"
                                             "        total += number * row\n"
                                             "    return total\n\n"
                                             "print (%s_%s (range (%u)))\n",
                                             verb,
                                             noun,
                                             verb,
                                             noun,
                                             number);
  g_autofree char *output = g_strdup_printf ("%u\nvalue%u done\n", number * 31, number);

  fh_test_add (history, number, source, output);
}

static void
time_list (FhHistory *history, const char *what, const char *search, guint offset, guint expected)
{
  g_autoptr (GPtrArray) entries = NULL;
  gint64 begin = g_get_monotonic_time ();
  GError *error = NULL;

  entries = fh_history_list (history, search, offset, 50, &error);
  g_test_message ("%-36s %7.2f ms", what, (double) (g_get_monotonic_time () - begin) / 1000);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, expected);
}

static void
test_many_runs (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "history.db", NULL);
  g_autoptr (FhHistory) history = fh_history_new (path);
  const char *wanted = g_getenv ("FH_HISTORY_RUNS");
  const guint runs = wanted != NULL ? (guint) atoi (wanted) : 4000;
  gint64 begin = g_get_monotonic_time ();
  struct stat info;

  for (guint i = 1; i <= runs; i++)
    add_run (history, i);
  g_test_message ("%-36s %7.2f ms",
                  "add, each",
                  (double) (g_get_monotonic_time () - begin) / runs / 1000);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_test_message ("%-36s %7.2f MiB", "size", (double) info.st_size / (1 << 20));

  g_object_unref (history);
  history = fh_history_new (path);
  time_list (history, "open and list the first 50", NULL, 0, 50);
  time_list (history, "list the next 50", NULL, 50, 50);
  time_list (history, "list the last 50", NULL, runs - 50, 50);
  time_list (history, "search a word of every run", "import", 0, 50);
  time_list (history, "search a word of some runs", "plot", 0, 50);
  time_list (history, "search two words", "sort matrix", 0, 50);
  time_list (history, "search the beginning of words", "p", 0, 50);
  time_list (history, "search a word of one run", "value1711", 0, 1);
  time_list (history, "search nothing there", "xylophone", 0, 0);
  time_list (history, "search a sign", "+=", 0, 50);
  time_list (history, "search a sign that is not there", "@@", 0, 0);

  begin = g_get_monotonic_time ();
  g_assert_true (fh_test_history_prune (history, 1000, NULL));
  g_test_message ("%-36s %7.2f ms", "keep 1000", (double) (g_get_monotonic_time () - begin) / 1000);
  time_list (history, "search a word of every run", "import", 950, 50);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_size, <, 4 << 20);
  g_test_message ("%-36s %7.2f MiB", "size", (double) info.st_size / (1 << 20));
  g_clear_object (&history);
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

FH_TESTS ({ "/history-size/many-runs", test_many_runs });
