/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text-diff.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

/* How many lines are not in the other text. */
static guint
n_changed (const FhTextDiff *diff, guint side)
{
  guint n_hunks, n = 0;
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n_hunks);

  for (guint i = 0; i < n_hunks; i++)
    n += hunks[i].kind == FH_DIFF_EQUAL ? 0 : hunks[i].count[side];
  return n;
}

static FhTextDiff *
diff_new (const char *old_text, const char *new_text)
{
  g_autoptr (GBytes) old_bytes = g_bytes_new (old_text, strlen (old_text));
  g_autoptr (GBytes) new_bytes = g_bytes_new (new_text, strlen (new_text));

  return fh_text_diff_new (old_bytes, new_bytes);
}

/* What the hunks say: equal lines are the same in both texts, and together they are the texts. */
static void
check_hunks (const FhTextDiff *diff)
{
  guint n, next[2] = { 0, 0 };
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n);

  for (guint i = 0; i < n; i++)
    {
      g_assert_true (hunks[i].first[0] == next[0] && hunks[i].first[1] == next[1]);
      g_assert_true (i == 0 ||
                     (hunks[i].kind == FH_DIFF_EQUAL) != (hunks[i - 1].kind == FH_DIFF_EQUAL));
      g_assert_true ((hunks[i].count[0] > 0) == (hunks[i].kind != FH_DIFF_ADDED));
      g_assert_true ((hunks[i].count[1] > 0) == (hunks[i].kind != FH_DIFF_REMOVED));
      for (guint line = 0; line < hunks[i].count[0] && hunks[i].kind == FH_DIFF_EQUAL; line++)
        {
          gsize sizes[2];
          const char *a = fh_text_diff_get_line (diff, 0, next[0] + line, &sizes[0]);
          const char *b = fh_text_diff_get_line (diff, 1, next[1] + line, &sizes[1]);

          g_assert_cmpmem (a, sizes[0], b, sizes[1]);
        }
      next[0] += hunks[i].count[0];
      next[1] += hunks[i].count[1];
    }
  g_assert_cmpuint (next[0], ==, fh_text_diff_get_n_lines (diff, 0));
  g_assert_cmpuint (next[1], ==, fh_text_diff_get_n_lines (diff, 1));
}

static void
check (const char *old_text, const char *new_text, const char *expected)
{
  g_autoptr (FhTextDiff) diff = diff_new (old_text, new_text);
  GString *unified = fh_text_diff_to_unified (diff, "a", "b");

  check_hunks (diff);
  g_assert_cmpstr (unified->str, ==, expected);
  g_assert_cmpint (fh_text_diff_is_same (diff), ==, strcmp (old_text, new_text) == 0);
  g_assert_false (fh_text_diff_is_rough (diff));
  g_string_free (unified, TRUE);
}

static void
test_small (void)
{
  check ("", "", "");
  check ("a\n", "a\n", "");
  check ("", "a\n", "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n");
  check ("a\n", "", "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n");
  check ("a\nb\n", "a\nc\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
  check ("a", "a\n", "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  check ("1\n2\n3\n4\n5\n6\n7\n8\n9\n",
         "1\n2\n3\n4\n5\n6\n7\n8\n",
         "--- a\n+++ b\n@@ -6,4 +6,3 @@\n 6\n 7\n 8\n-9\n");
}

/* Equal stretches of up to six lines stay within one part. */
static void
test_context (void)
{
  check ("a\n1\n2\n3\n4\n5\n6\nb\n",
         "A\n1\n2\n3\n4\n5\n6\nB\n",
         "--- a\n+++ b\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
  check (
      "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
      "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
      "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

/* A new function is shown from its first to its last line. */
static void
test_slide (void)
{
  check ("def a():\n    return 1\n\ndef c():\n    return 1\n\nx\n",
         "def a():\n    return 1\n\ndef b():\n    return 1\n\ndef c():\n    return 1\n\nx\n",
         "--- a\n+++ b\n@@ -1,6 +1,9 @@\n def a():\n     return 1\n \n+def b():\n+    return 1\n+\n"
         " def c():\n     return 1\n \n");
}

static char *
random_text (guint n_lines, guint n_kinds, gboolean ends)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n_lines; i++)
    g_string_append_printf (text, "%d\n", g_test_rand_int_range (0, (int) n_kinds));
  if (!ends && text->len > 0)
    g_string_truncate (text, text->len - 1);
  return g_string_free (text, FALSE);
}

/* The length of the longest common subsequence, by the book. */
static guint
common_lines (const FhTextDiff *diff)
{
  guint n_old = fh_text_diff_get_n_lines (diff, 0);
  guint n_new = fh_text_diff_get_n_lines (diff, 1);
  g_autofree guint *row = g_new0 (guint, n_new + 1);

  for (guint i = 0; i < n_old; i++)
    {
      guint diagonal = 0;

      for (guint j = 0; j < n_new; j++)
        {
          gsize sizes[2];
          const char *a = fh_text_diff_get_line (diff, 0, i, &sizes[0]);
          const char *b = fh_text_diff_get_line (diff, 1, j, &sizes[1]);
          guint above = row[j + 1];

          if (sizes[0] == sizes[1] && memcmp (a, b, sizes[0]) == 0)
            row[j + 1] = diagonal + 1;
          else
            row[j + 1] = MAX (above, row[j]);
          diagonal = above;
        }
    }
  return row[n_new];
}

/* The shortest difference, for texts of few and of many different lines. */
static void
test_shortest (void)
{
  for (guint round = 0; round < 3000; round++)
    {
      guint kinds = (guint) g_test_rand_int_range (1, 12);
      g_autofree char *a =
          random_text ((guint) g_test_rand_int_range (0, 40), kinds, round % 3 != 0);
      g_autofree char *b =
          random_text ((guint) g_test_rand_int_range (0, 40), kinds, round % 5 != 0);
      g_autoptr (FhTextDiff) diff = diff_new (a, b);
      guint n_common = common_lines (diff);

      check_hunks (diff);
      g_assert_cmpuint (n_changed (diff, 0), ==, fh_text_diff_get_n_lines (diff, 0) - n_common);
      g_assert_cmpuint (n_changed (diff, 1), ==, fh_text_diff_get_n_lines (diff, 1) - n_common);
    }
}

static void
check_bounded (char *a, char *b)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (FhTextDiff) diff = diff_new (a, b);

  check_hunks (diff);
  g_test_message ("%u and %u lines: %u and %u changed, %s, %.0f ms",
                  fh_text_diff_get_n_lines (diff, 0),
                  fh_text_diff_get_n_lines (diff, 1),
                  n_changed (diff, 0),
                  n_changed (diff, 1),
                  fh_text_diff_is_rough (diff) ? "rough" : "shortest",
                  (double) (g_get_monotonic_time () - start) / 1000);
  g_free (a);
  g_free (b);
}

static char *
repeat (const char *line, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (text, line);
  return g_string_free (text, FALSE);
}

/* These would take minutes if each possible difference was looked at. */
static void
test_bounded (void)
{
  check_bounded (repeat ("x\n", 100000), repeat ("x\n", 70000));
  check_bounded (repeat ("\n", 1 << 20), repeat ("y\n", 1 << 19));
  check_bounded (repeat ("a\nb\n", 50000), repeat ("b\na\nc\n", 33333));
  check_bounded (random_text (100000, 2, TRUE), random_text (100000, 2, TRUE));
  check_bounded (random_text (100000, 300, TRUE), random_text (100000, 300, TRUE));
  check_bounded (random_text (100000, 1000000, TRUE), random_text (100000, 1000000, TRUE));
  check_bounded (repeat ("x", 1 << 20), repeat ("x", (1 << 20) + 1));
}

/* A small change is found in a large text, whatever lies between. */
static void
test_few_changes (void)
{
  g_autofree char *text = random_text (100000, 50, TRUE);
  g_autofree char *changed = g_strconcat ("first\n", text, "last\n", NULL);
  g_autoptr (FhTextDiff) diff = NULL;

  memcpy (strstr (changed + strlen (changed) / 2, "\n4"), "\nZ", 2);
  diff = diff_new (text, changed);
  check_hunks (diff);
  g_assert_false (fh_text_diff_is_rough (diff));
  g_assert_cmpuint (n_changed (diff, 0), ==, 1);
  g_assert_cmpuint (n_changed (diff, 1), ==, 3);
}

static char *
run_tool (const char *const *argv, GError **error)
{
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, error);
  char *out = NULL;

  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, error))
    return NULL;
  return out;
}

static guint
count_marked (const char *unified)
{
  guint n = 0;

  for (const char *line = strchr (unified, '@'); line != NULL; line = strchr (line + 1, '\n'))
    n += line[0] == '\n' && (line[1] == '-' || line[1] == '+');
  return n;
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
remove_files (const char *folder)
{
  const char *const names[] = { "a", "b", "patch", "result" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

/* diff and patch agree: as many lines, and the new text comes out of the old one. */
static void
compare_with_tools (const char *folder, const char *old_text, const char *new_text)
{
  g_autoptr (FhTextDiff) diff = diff_new (old_text, new_text);
  GString *unified = fh_text_diff_to_unified (diff, "a", "b");
  g_autofree char *a = g_build_filename (folder, "a", NULL);
  g_autofree char *b = g_build_filename (folder, "b", NULL);
  g_autofree char *patch = g_build_filename (folder, "patch", NULL);
  g_autofree char *result = g_build_filename (folder, "result", NULL);
  const char *const diff_argv[] = {
    "diff", "-u", "-d", "--label", "a", "--label", "b", a, b, NULL
  };
  const char *const patch_argv[] = { "patch", "--binary", "-s", "-o", result, a, patch, NULL };
  g_autofree char *theirs = NULL;
  g_autofree char *said = NULL;
  g_autofree char *patched = NULL;

  write_file (folder, "a", old_text);
  write_file (folder, "b", new_text);
  write_file (folder, "patch", unified->str);
  theirs = run_tool (diff_argv, NULL);
  g_assert_nonnull (theirs);
  g_assert_cmpuint (count_marked (unified->str), ==, count_marked (theirs));
  if (unified->len > 0)
    {
      said = run_tool (patch_argv, NULL);
      g_assert_cmpstr (said, ==, "");
      g_assert_true (g_file_get_contents (result, &patched, NULL, NULL));
      g_assert_cmpstr (patched, ==, new_text);
    }
  g_string_free (unified, TRUE);
}

static void
test_tools (void)
{
  g_autofree char *found_diff = g_find_program_in_path ("diff");
  g_autofree char *found_patch = g_find_program_in_path ("patch");
  g_autofree char *folder = NULL;

  if (found_diff == NULL || found_patch == NULL)
    {
      g_test_skip ("diff and patch are not installed");
      return;
    }
  folder = g_dir_make_tmp ("fh-diff-XXXXXX", NULL);
  for (guint round = 0; round < 60; round++)
    {
      guint kinds = (guint) g_test_rand_int_range (3, 60);
      g_autofree char *a =
          random_text ((guint) g_test_rand_int_range (0, 80), kinds, round % 4 != 0);
      g_autofree char *b =
          random_text ((guint) g_test_rand_int_range (1, 80), kinds, round % 7 != 0);

      compare_with_tools (folder, a, b);
    }
  remove_files (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-diff/small", test_small);
  g_test_add_func ("/text-diff/context", test_context);
  g_test_add_func ("/text-diff/slide", test_slide);
  g_test_add_func ("/text-diff/shortest", test_shortest);
  g_test_add_func ("/text-diff/bounded", test_bounded);
  g_test_add_func ("/text-diff/few-changes", test_few_changes);
  g_test_add_func ("/text-diff/tools", test_tools);
  return g_test_run ();
}
