/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The place of a cell in a text. Lines are counted from 0, `start` and `end` in bytes; both ends
 * are behind the last. */
typedef struct
{
  guint first_line;
  guint end_line;
  gsize start;
  gsize end;
} FhCellPlace;

/* Splits a text into cells: each begins with a line such as "# %%" or "# %% Title", as in other
 * editors. What stands before the first of these lines is a cell if it is not blank; a text without
 * such a line is one cell. Never empty. (element-type FhCellPlace) (transfer full) */
GArray *fh_cell_splitter_split (const char *text);

/* Whether a line of the text begins a cell. */
gboolean fh_cell_splitter_has_cells (const char *text);

/* The number of the cell in which a line is. */
guint fh_cell_splitter_find (const GArray *cells, guint line);

/* Whether there is nothing in it but blank lines and comments. */
gboolean fh_cell_splitter_is_blank (const char *text, const FhCellPlace *place);
