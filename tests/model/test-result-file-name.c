/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file-name.h"

#include <string.h>

#include "result-file.h"

static void
test_paths (void)
{
  static const struct
  {
    const char *path;
    const char *safe;
  } paths[] = {
    { "plot.png", "plot.png" },
    { "plots/a b.png", "plots/a b.png" },
    { "Grüße/日本.txt", "Grüße/日本.txt" },
    { "-rf", "_-rf" },
    { "a/-rf/--help", "a/_-rf/_--help" },
    { ".git/hooks/pre-commit", "_.git/hooks/pre-commit" },
    { ".bashrc", "_.bashrc" },
    { "...", "_..." },
    { "new\nline\ttab\x7f", "new_line_tab_" },
    { "\x1b[31mred", "_[31mred" },
    { "photo\xe2\x80\xaegnp.exe", "photo_gnp.exe" },
    { "bad\xff\xfe!", "bad__!" },
    { "cut\xe2\x80", "cut__" },
    { "%s%n", "%s%n" },
    { "~", "~" },
    { "C:\\x", "C:\\x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *safe = fh_result_path_to_path (paths[i].path);
      g_autofree char *again = fh_result_path_to_path (safe);

      g_assert_cmpstr (safe, ==, paths[i].safe);
      g_assert_cmpstr (again, ==, safe);
      g_assert_true (fh_result_path_is_safe (safe));
    }
}

static void
test_names (void)
{
  g_autofree char *deep = fh_result_path_to_name ("../../.ssh/-x\n");
  g_autofree char *plain = fh_result_path_to_name ("a");
  g_autofree char *nothing = fh_result_path_to_name ("a/");
  g_autofree char *up = fh_result_path_to_name ("..");

  g_assert_cmpstr (deep, ==, "_-x_");
  g_assert_cmpstr (plain, ==, "a");
  g_assert_cmpstr (nothing, ==, "_");
  g_assert_cmpstr (up, ==, "_..");
}

static void
test_long_names (void)
{
  g_autofree char *dashes = g_strnfill (255, '-');
  g_autofree char *signs = g_malloc0 (256);
  g_autofree char *safe_dashes = fh_result_path_to_name (dashes);
  g_autofree char *safe_signs = NULL;

  g_assert_cmpuint (strlen (safe_dashes), ==, 255);
  /* One byte, then 127 signs of two: the mark before them moves the last one over the end. */
  signs[0] = '.';
  for (guint i = 1; i < 255; i += 2)
    memcpy (signs + i, "é", 2);
  safe_signs = fh_result_path_to_name (signs);
  g_assert_cmpuint (strlen (safe_signs), ==, 254);
  g_assert_true (g_utf8_validate (safe_signs, -1, NULL));
}

static void
assert_number (const char *name, guint number, const char *expected)
{
  g_autofree char *numbered = fh_result_name_with_number (name, number);

  g_assert_cmpstr (numbered, ==, expected);
}

static void
test_numbers (void)
{
  g_autofree char *stem = g_strnfill (251, 'n');
  g_autofree char *longest = g_strconcat (stem, ".png", NULL);
  g_autofree char *cut = fh_result_name_with_number (longest, 12);

  assert_number ("plot.png", 2, "plot (2).png");
  assert_number ("Makefile", 10, "Makefile (10)");
  assert_number ("a.tar.gz", 2, "a.tar (2).gz");
  assert_number (".hidden", 2, ".hidden (2)");
  assert_number ("ends.", 2, "ends (2).");
  assert_number ("v1. That is a long sentence", 2, "v1. That is a long sentence (2)");
  g_assert_cmpuint (strlen (cut), ==, 255);
  g_assert_true (g_str_has_suffix (cut, "nnn (12).png"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-file-name/paths", test_paths);
  g_test_add_func ("/result-file-name/names", test_names);
  g_test_add_func ("/result-file-name/long-names", test_long_names);
  g_test_add_func ("/result-file-name/numbers", test_numbers);
  return g_test_run ();
}
