/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cell-splitter.h"

#include <string.h>

/* The texts of the cells, with a bar between them. */
static char *
split (const char *text)
{
  g_autoptr (GArray) cells = fh_cell_splitter_split (text);
  GString *joined = g_string_new (NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      const FhCellPlace *place = &g_array_index (cells, FhCellPlace, i);

      g_assert_cmpuint (fh_cell_splitter_find (cells, place->first_line), ==, i);
      g_assert_cmpuint (fh_cell_splitter_find (cells, place->end_line - 1), ==, i);
      g_string_append_len (joined, text + place->start, (gssize) (place->end - place->start));
      if (i + 1 < cells->len)
        g_string_append_c (joined, '|');
    }
  return g_string_free (joined, FALSE);
}

static void
test_split (void)
{
  static const struct
  {
    const char *text;
    const char *cells;
    gboolean has_cells;
  } rows[] = {
    { "", "", FALSE },
    { "a = 1\nb = 2\n", "a = 1\nb = 2\n", FALSE },
    { "# %%\na\n# %%\nb", "# %%\na\n|# %%\nb", TRUE },
    { "#%%\na\n#   %% title\nb\n", "#%%\na\n|#   %% title\nb\n", TRUE },
    { "a\n# %%\nb\n", "a\n|# %%\nb\n", TRUE },
    { "\n# a comment\n# %%\nb\n", "# %%\nb\n", TRUE },
    { "# %%\n# %%\nb\n", "# %%\n|# %%\nb\n", TRUE },
    { "a # %%\n  # %%\n#%\n", "a # %%\n  # %%\n#%\n", FALSE },
    { "# %%", "# %%", TRUE },
    { "é\n# %% ü\r\nö\r\n", "é\n|# %% ü\r\nö\r\n", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *cells = split (rows[i].text);

      g_assert_cmpstr (cells, ==, rows[i].cells);
      g_assert_cmpint (fh_cell_splitter_has_cells (rows[i].text), ==, rows[i].has_cells);
    }
}

static void
test_blank (void)
{
  static const struct
  {
    const char *text;
    gboolean is_blank;
  } rows[] = {
    { "", TRUE },           { " \n\t\n", TRUE }, { "# %%\n", TRUE }, { "# %%\n  # more\n\n", TRUE },
    { "# %%\nx\n", FALSE }, { "x", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const FhCellPlace place = { .end = strlen (rows[i].text) };

      g_assert_cmpint (fh_cell_splitter_is_blank (rows[i].text, &place), ==, rows[i].is_blank);
    }
}

/* Lines before the first cell and behind the last belong to these. */
static void
test_find (void)
{
  g_autoptr (GArray) cells = fh_cell_splitter_split ("# c\n# %%\na\n# %%\nb\n");

  g_assert_cmpuint (cells->len, ==, 2);
  g_assert_cmpuint (fh_cell_splitter_find (cells, 0), ==, 0);
  g_assert_cmpuint (fh_cell_splitter_find (cells, 2), ==, 0);
  g_assert_cmpuint (fh_cell_splitter_find (cells, 3), ==, 1);
  g_assert_cmpuint (fh_cell_splitter_find (cells, 100), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cell-splitter/split", test_split);
  g_test_add_func ("/cell-splitter/blank", test_blank);
  g_test_add_func ("/cell-splitter/find", test_find);
  return g_test_run ();
}
