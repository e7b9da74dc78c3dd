/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cell-splitter.h"

#include <string.h>

/* "# %%" and "#%%" */
static gboolean
begins_cell (const char *line)
{
  if (*line++ != '#')
    return FALSE;
  line += strspn (line, " \t");
  return strncmp (line, "%%", 2) == 0;
}

static const char *
next_line (const char *line)
{
  const char *end = strchr (line, '\n');

  return end != NULL ? end + 1 : NULL;
}

gboolean
fh_cell_splitter_is_blank (const char *text, const FhCellPlace *place)
{
  const char *at;
  const char *end;

  g_return_val_if_fail (text != NULL && place != NULL, TRUE);

  end = text + place->end;
  for (at = text + place->start; at < end; at++)
    {
      at += strspn (at, " \t\r\n\f");
      if (at >= end)
        return TRUE;
      if (*at != '#')
        return FALSE;
      at += strcspn (at, "\n");
    }
  return TRUE;
}

/* Ignores text before the first cell if there is nothing in it. */
static void
end_cell (GArray *cells, FhCellPlace *place, const char *text, const char *end, guint line)
{
  const gboolean is_first = cells->len == 0;

  place->end = (gsize) (end - text);
  place->end_line = line;
  if (!is_first || begins_cell (text) || !fh_cell_splitter_is_blank (text, place))
    g_array_append_val (cells, *place);
  place->start = place->end;
  place->first_line = line;
}

GArray *
fh_cell_splitter_split (const char *text)
{
  GArray *cells = g_array_new (FALSE, TRUE, sizeof (FhCellPlace));
  FhCellPlace place = { 0 };
  guint number = 0;

  g_return_val_if_fail (text != NULL, cells);

  for (const char *line = text; line != NULL; line = next_line (line), number++)
    {
      if (line != text && begins_cell (line))
        end_cell (cells, &place, text, line, number);
    }
  place.end = strlen (text);
  place.end_line = number;
  g_array_append_val (cells, place);
  return cells;
}

gboolean
fh_cell_splitter_has_cells (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  for (const char *line = text; line != NULL; line = next_line (line))
    {
      if (begins_cell (line))
        return TRUE;
    }
  return FALSE;
}

guint
fh_cell_splitter_find (const GArray *cells, guint line)
{
  g_return_val_if_fail (cells != NULL, 0);

  for (guint i = 0; i < cells->len; i++)
    {
      if (line < g_array_index (cells, FhCellPlace, i).end_line)
        return i;
    }
  return MAX (cells->len, 1) - 1;
}
