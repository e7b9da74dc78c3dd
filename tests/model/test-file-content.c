/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file-content.h"

#include <string.h>

static GBytes *
bytes (const char *text)
{
  return g_bytes_new_static (text, strlen (text));
}

static void
assert_kind (const char *path, const char *text, gsize size, FhFileContentKind expected)
{
  g_autoptr (GBytes) content = g_bytes_new (text, size);

  g_assert_cmpint (fh_file_content_kind (path, content), ==, expected);
}

static void
test_kinds (void)
{
  assert_kind ("plots/A.PNG", "no picture", 10, FH_FILE_CONTENT_PICTURE);
  assert_kind ("a.jpeg", "", 0, FH_FILE_CONTENT_PICTURE);
  assert_kind ("png", "x", 1, FH_FILE_CONTENT_TEXT);
  assert_kind ("a.csv", "x,y", 3, FH_FILE_CONTENT_TABLE);
  assert_kind ("a.tsv", "", 0, FH_FILE_CONTENT_TABLE);
  assert_kind ("a.csv", "x\0y", 3, FH_FILE_CONTENT_OTHER);
  assert_kind ("a.html", "<script>", 8, FH_FILE_CONTENT_TEXT);
  assert_kind ("a", "\xff\xfe", 2, FH_FILE_CONTENT_TEXT);
  assert_kind ("a.txt", "%PDF-1.7", 8, FH_FILE_CONTENT_OTHER);
}

static void
assert_text (const char *text, const char *expected)
{
  g_autoptr (GBytes) content = bytes (text);
  gboolean is_cut;
  g_autofree char *shown = fh_file_content_text (content, &is_cut);

  g_assert_cmpstr (shown, ==, expected);
  g_assert_false (is_cut);
}

static void
test_text (void)
{
  assert_text ("", "");
  assert_text ("a\r\nb\n", "a\nb");
  assert_text ("\n\nx", "\n\nx");
  assert_text ("\ta\tb\t", "        a        b        ");
  /* Nothing that hides or turns around what is there. */
  assert_text ("x\xe2\x80\xaetxt.exe", "x\\u202etxt.exe");
  assert_text ("\x1b[31mred\xff", "\\u001b[31mred\xef\xbf\xbd");
}

static void
test_long_text (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree char *wide = g_strnfill (499, 'x');
  g_autofree char *line = g_strconcat (wide, "\xc3\xa4y", NULL);
  g_autoptr (GBytes) one = bytes (line);
  g_autoptr (GBytes) many = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *first = NULL;
  gboolean is_cut;

  first = fh_file_content_text (one, &is_cut);
  g_assert_true (is_cut);
  /* The letter is whole or not there. */
  g_assert_cmpstr (first, ==, wide);
  for (guint i = 0; i < 6000; i++)
    g_string_append (lines, "line\n");
  many = g_bytes_new (lines->str, lines->len);
  shown = fh_file_content_text (many, &is_cut);
  g_assert_true (is_cut);
  g_assert_cmpuint (strlen (shown), ==, 5000 * 5 - 1);
}

static void
assert_table (const char *text, const char *expected)
{
  g_autoptr (GBytes) content = bytes (text);
  g_autoptr (FhFileTable) table = fh_file_content_table (content);
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint row = 0; row < table->rows->len; row++)
    for (guint column = 0; column < table->n_columns; column++)
      g_string_append_printf (shown,
                              "%s%c",
                              fh_file_table_get (table, row, column),
                              column + 1 < table->n_columns ? '|' : '\n');
  g_assert_cmpstr (shown->str, ==, expected);
  g_assert_false (table->is_cut);
}

static void
test_tables (void)
{
  assert_table ("", "");
  assert_table ("a,b\n1,2\n", "a|b\n1|2\n");
  assert_table ("a,b\r\n1,2", "a|b\n1|2\n");
  assert_table ("\"a,b\",\"c\"\"d\"\n\"x\ny\",", "a,b|c\"d\nx\\ny|\n");
  assert_table ("a;b;c\n1,5;2\n", "a|b|c\n1,5|2|\n");
  assert_table ("a\tb\n1\t2\n", "a|b\n1|2\n");
  assert_table ("\xef\xbb\xbf"
                "a,b\n",
                "a|b\n");
  assert_table ("a,b\n\n1\n", "a|b\n|\n1|\n");
  assert_table ("\"open,b\n1", "open,b\\n1\n");
  assert_table ("5\" x,b\n", "5\" x|b\n");
}

static void
test_large_tables (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GBytes) wide = NULL;
  g_autoptr (GBytes) longer = NULL;
  FhFileTable *table;

  for (guint i = 0; i < 80; i++)
    g_string_append_printf (text, "%u,", i);
  wide = g_bytes_new (text->str, text->len);
  table = fh_file_content_table (wide);
  g_assert_true (table->is_cut);
  g_assert_cmpuint (table->n_columns, ==, FH_FILE_TABLE_MAX_COLUMNS);
  fh_file_table_free (table);
  g_string_truncate (text, 0);
  for (guint i = 0; i < 1001; i++)
    g_string_append (text, "1,2\n");
  longer = g_bytes_new (text->str, text->len);
  table = fh_file_content_table (longer);
  g_assert_true (table->is_cut);
  g_assert_cmpuint (table->rows->len, ==, FH_FILE_TABLE_MAX_ROWS);
  g_assert_cmpstr (fh_file_table_get (table, 999, 1), ==, "2");
  g_assert_cmpstr (fh_file_table_get (table, 999, 7), ==, "");
  fh_file_table_free (table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-content/kinds", test_kinds);
  g_test_add_func ("/file-content/text", test_text);
  g_test_add_func ("/file-content/long-text", test_long_text);
  g_test_add_func ("/file-content/tables", test_tables);
  g_test_add_func ("/file-content/large-tables", test_large_tables);
  return g_test_run ();
}
