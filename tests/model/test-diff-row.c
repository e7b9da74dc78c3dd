/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "diff-row.h"

#include <string.h>

static GPtrArray *
rows_of (const char *old_text, gssize old_size, const char *new_text, gssize new_size)
{
  g_autoptr (GBytes) a =
      g_bytes_new (old_text, old_size < 0 ? strlen (old_text) : (gsize) old_size);
  g_autoptr (GBytes) b =
      g_bytes_new (new_text, new_size < 0 ? strlen (new_text) : (gsize) new_size);
  g_autoptr (FhTextDiff) diff = fh_text_diff_new (a, b);
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  fh_diff_rows_add_text (rows, diff);
  return rows;
}

static void
append_cell (GString *text, const FhDiffCell *cell)
{
  if (cell->text == NULL)
    return;
  g_string_append_printf (text, "%u ", cell->line);
  if (cell->marks[0] < cell->marks[1])
    g_string_append_printf (text,
                            "%.*s[%.*s]%s",
                            (int) cell->marks[0],
                            cell->text,
                            (int) (cell->marks[1] - cell->marks[0]),
                            cell->text + cell->marks[0],
                            cell->text + cell->marks[1]);
  else
    g_string_append (text, cell->text);
}

/* "1 a|1 b\n" for each line, with "!" before those that differ; "(n)\n" for a gap. */
static char *
describe (GPtrArray *rows)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      FhDiffRow *row = rows->pdata[i];

      if (fh_diff_row_get_facts (row)->differs)
        g_string_append_c (text, '!');
      if (fh_diff_row_get_facts (row)->kind == FH_DIFF_ROW_GAP)
        {
          g_string_append_printf (text, "(%u)\n", fh_diff_row_get_facts (row)->n_hidden);
          continue;
        }
      append_cell (text, &fh_diff_row_get_facts (row)->cells[0]);
      g_string_append_c (text, '|');
      append_cell (text, &fh_diff_row_get_facts (row)->cells[1]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
check (const char *old_text, const char *new_text, const char *expected)
{
  g_autoptr (GPtrArray) rows = rows_of (old_text, -1, new_text, -1);
  g_autofree char *text = describe (rows);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_lines (void)
{
  check ("", "", "");
  check ("a\nb\n", "a\nb\n", "1 a|1 a\n2 b|2 b\n");
  check ("a\n", "", "!1 a|\n");
  check ("", "a\n", "!|1 a\n");
  check ("a\nb\nc\n", "a\nx\ny\nc\n", "1 a|1 a\n!2 b|2 x\n!|3 y\n3 c|4 c\n");
}

static void
test_marks (void)
{
  check ("x = 10\n", "x = 12\n", "!1 x = 1[0]|1 x = 1[2]\n");
  check ("f (a)\n", "f (a, b)\n", "!1 f (a)|1 f (a[, b])\n");
  /* Little in common: no marks. */
  check ("abcdefgh\n", "aXYZWVUT\n", "!1 abcdefgh|1 aXYZWVUT\n");
  /* Characters are not torn apart: both begin with the same byte. */
  check ("grüße ä!\n", "grüße ö!\n", "!1 grüße [ä]!|1 grüße [ö]!\n");
}

static void
test_unreadable (void)
{
  check ("a\tb\x1b[2J\n", "a\tc\x1b[2J\n", "!1 a\t[b]\\u001b[2J|1 a\t[c]\\u001b[2J\n");
  check ("a\r\nb\r\n", "a\r\nc\r\n", "1 a|1 a\n!2 b|2 c\n");
  check ("abc\r\n", "abc\n", "!1 abc[\\r]|1 abc\n");
  check ("abcdefghijklmnop",
         "abcdefghijklmnop\n",
         "!1 abcdefghijklmnop[ (no line break)]|1 abcdefghijklmnop\n");
  check ("\xe2\x80\xaex\n", "\xe2\x80\xaey\n", "!1 \\u202e[x]|1 \\u202e[y]\n");
}

static char *
lines (guint from, guint to)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i <= to; i++)
    g_string_append_printf (text, "%u\n", i);
  return g_string_free (text, FALSE);
}

static void
test_gaps (void)
{
  g_autofree char *all = lines (1, 30);
  g_autofree char *changed = lines (1, 30);
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) opened = NULL;
  g_autofree char *text = NULL;
  g_autofree char *inside = NULL;

  memcpy (strstr (changed, "15"), "xx", 2);
  rows = rows_of (all, -1, changed, -1);
  text = describe (rows);
  g_assert_cmpstr (text,
                   ==,
                   "(11)\n12 12|12 12\n13 13|13 13\n14 14|14 14\n!15 15|15 xx\n16 16|16 16\n"
                   "17 17|17 17\n18 18|18 18\n(12)\n");
  opened = fh_diff_row_open (rows->pdata[0]);
  g_assert_cmpuint (opened->len, ==, 11);
  g_assert_cmpstr (fh_diff_row_get_facts (opened->pdata[10])->cells[1].text, ==, "11");
  g_clear_pointer (&opened, g_ptr_array_unref);
  opened = fh_diff_row_open (rows->pdata[rows->len - 1]);
  inside = describe (opened);
  g_assert_true (g_str_has_prefix (inside, "19 19|19 19\n"));
  g_assert_true (g_str_has_suffix (inside, "30 30|30 30\n"));
}

/* Every line can be reached, however many there are. */
static void
test_many (void)
{
  g_autofree char *a = lines (1, 20000);
  g_autofree char *b = lines (30000, 50000);
  g_autoptr (GPtrArray) rows = rows_of (a, -1, b, -1);
  guint n = rows->len - 1;

  g_assert_cmpuint (n, ==, FH_DIFF_ROW_MAX);
  while (fh_diff_row_get_facts (rows->pdata[rows->len - 1])->kind == FH_DIFF_ROW_GAP)
    {
      GPtrArray *more = fh_diff_row_open (rows->pdata[rows->len - 1]);

      g_assert_true (fh_diff_row_get_facts (rows->pdata[rows->len - 1])->differs);
      g_assert_cmpuint (more->len, <=, FH_DIFF_ROW_STEP + 1);
      g_ptr_array_unref (rows);
      rows = more;
      n +=
          rows->len - (fh_diff_row_get_facts (rows->pdata[rows->len - 1])->kind == FH_DIFF_ROW_GAP);
    }
  g_assert_cmpuint (n, ==, 20001);
}

/* Where long lines differ is shown, and they are cut. */
static void
test_long_line (void)
{
  g_autofree char *a = g_malloc0 (1 << 20);
  g_autofree char *b = g_malloc0 (1 << 20);
  g_autoptr (GPtrArray) rows = NULL;
  const FhDiffCell *cell;

  memset (a, 'x', (1 << 20) - 1);
  memset (b, 'x', (1 << 20) - 1);
  b[600000] = 'y';
  rows = rows_of (a, -1, b, -1);
  g_assert_cmpuint (rows->len, ==, 1);
  cell = &fh_diff_row_get_facts (rows->pdata[0])->cells[1];
  g_assert_cmpuint (g_utf8_strlen (cell->text, -1), <, 600);
  g_assert_nonnull (strchr (cell->text, 'y'));
  g_assert_true (g_str_has_prefix (cell->text, "…xxx"));
  g_assert_true (g_str_has_suffix (cell->text, "xxx… (no line break)"));
}

/* What a line has on one side, from all of its rows. */
static char *
join (GPtrArray *rows, guint side)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++)
    {
      const FhDiffCell *cell = &fh_diff_row_get_facts (rows->pdata[i])->cells[side];

      g_assert_cmpuint (g_utf8_strlen (cell->text != NULL ? cell->text : "", -1), <, 600);
      if (cell->text == NULL)
        continue;
      g_assert_cmpuint (cell->line, ==, 1);
      g_assert_true (i == 0 || g_str_has_prefix (cell->text, "…"));
      g_string_append (text, cell->text + (i == 0 ? 0 : strlen ("…")));
    }
  return g_string_free (text, FALSE);
}

/* What follows many spaces is shown, however the line came about. */
static void
test_hidden_end (void)
{
  static const char *const before[] = { "", "ok ()", "ok ();", "ok ()  ;\n" };
  g_autofree char *spaces = g_strnfill (1800, ' ');
  g_autofree char *line =
      g_strconcat ("ok ()", spaces, "é; system ('evil')", spaces, "# fine", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (before); i++)
    {
      g_autofree char *whole = g_strconcat (line, i == 3 ? "\n" : " ", NULL);
      g_autoptr (GPtrArray) rows = rows_of (before[i], -1, whole, -1);
      g_autofree char *shown = join (rows, 1);

      g_assert_cmpuint (rows->len, >, 1);
      g_assert_nonnull (strstr (shown, "é; system ('evil')"));
      g_assert_nonnull (strstr (shown, "# fine"));
      g_assert_true (g_str_has_prefix (shown, "ok ()  "));
      g_assert_cmpuint (strlen (shown), >=, strlen (line));
    }
}

/* If it is too long for that, the last row says how much is missing. */
static void
test_too_long (void)
{
  g_autofree char *line = g_strnfill (150000, 'x');
  g_autoptr (GPtrArray) rows = rows_of ("", -1, line, -1);
  const char *last = fh_diff_row_get_facts (rows->pdata[rows->len - 1])->cells[1].text;

  g_assert_cmpuint (rows->len, ==, 200);
  g_assert_true (g_str_has_suffix (last, "xxx… 50000 more characters (no line break)"));
}

/* Any bytes: rows are valid text, and marks are within it. */
static void
test_random (void)
{
  static const char bytes[] = "a\n\n\r\t\xff\xc3\xa4\xe2\x80\xae\x1b\0b";

  for (guint round = 0; round < 3000; round++)
    {
      char text[2][40];
      g_autoptr (GPtrArray) rows = NULL;

      for (guint i = 0; i < sizeof text[0]; i++)
        {
          text[0][i] = bytes[g_test_rand_int_range (0, sizeof bytes)];
          text[1][i] =
              g_test_rand_bit () ? text[0][i] : bytes[g_test_rand_int_range (0, sizeof bytes)];
        }
      rows = rows_of (text[0], sizeof text[0], text[1], g_test_rand_int_range (0, sizeof text[1]));
      for (guint i = 0; i < rows->len; i++)
        for (guint side = 0; side < 2; side++)
          {
            const FhDiffCell *cell;

            if (fh_diff_row_get_facts (rows->pdata[i])->kind == FH_DIFF_ROW_GAP)
              continue;
            cell = &fh_diff_row_get_facts (rows->pdata[i])->cells[side];
            g_assert_true (cell->text == NULL || g_utf8_validate (cell->text, -1, NULL));
            g_assert_true (cell->marks[0] <= cell->marks[1]);
            g_assert_true (cell->marks[1] == 0 || cell->marks[1] <= strlen (cell->text));
            if (cell->marks[1] > 0)
              g_assert_true (g_utf8_validate (cell->text + cell->marks[0],
                                              (gssize) (cell->marks[1] - cell->marks[0]),
                                              NULL));
          }
    }
}

static void
test_heading (void)
{
  g_autoptr (FhDiffRow) heading = fh_diff_row_new_heading ("Output", NULL, TRUE);
  g_autoptr (FhDiffRow) pair = fh_diff_row_new_pair ("a", NULL, TRUE);

  g_assert_cmpint (fh_diff_row_get_facts (heading)->kind, ==, FH_DIFF_ROW_HEADING);
  g_assert_cmpstr (fh_diff_row_get_facts (heading)->title, ==, "Output");
  g_assert_true (fh_diff_row_get_facts (heading)->differs);
  g_assert_null (fh_diff_row_get_facts (pair)->cells[1].text);
  g_assert_cmpuint (fh_diff_row_get_facts (pair)->cells[0].line, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diff-row/lines", test_lines);
  g_test_add_func ("/diff-row/marks", test_marks);
  g_test_add_func ("/diff-row/unreadable", test_unreadable);
  g_test_add_func ("/diff-row/gaps", test_gaps);
  g_test_add_func ("/diff-row/many", test_many);
  g_test_add_func ("/diff-row/long-line", test_long_line);
  g_test_add_func ("/diff-row/hidden-end", test_hidden_end);
  g_test_add_func ("/diff-row/too-long", test_too_long);
  g_test_add_func ("/diff-row/random", test_random);
  g_test_add_func ("/diff-row/heading", test_heading);
  return g_test_run ();
}
