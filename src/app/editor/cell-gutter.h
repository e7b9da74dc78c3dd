/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

/* The marks of cells that ran, and of the blocks of an answer: their names end with "-" and the
 * number, and the category says how they ended. */
#define FH_CELL_GUTTER_NAME    "fh-cell-"
#define FH_CELL_GUTTER_IDLE    "fh-cell-idle"
#define FH_CELL_GUTTER_RUNS    "fh-cell-runs"
#define FH_CELL_GUTTER_DONE    "fh-cell-done"
#define FH_CELL_GUTTER_FAILED  "fh-cell-failed"
#define FH_CELL_GUTTER_SAVED   "fh-cell-saved"
#define FH_CELL_GUTTER_REFUSED "fh-cell-refused"

/* Shows these marks beside the text, as "3 ✓". Of two on one line the later one counts. */
#define FH_TYPE_CELL_GUTTER (fh_cell_gutter_get_type ())
G_DECLARE_FINAL_TYPE (FhCellGutter, fh_cell_gutter, FH, CELL_GUTTER, GtkSourceGutterRendererText)

/* The numbers of lines, too: those of GtkSourceView are drawn over each other where lines are
 * invisible. */
void fh_cell_gutter_set_numbered (FhCellGutter *self, gboolean numbered);
