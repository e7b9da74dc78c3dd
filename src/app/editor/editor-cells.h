/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

typedef enum
{
  FH_CELL_MARK_RUNS,
  FH_CELL_MARK_DONE,
  FH_CELL_MARK_FAILED,
} FhCellMark;

/* A piece of the text that is run: a cell, or the selection. */
typedef struct
{
  char *code;
  guint line; /* the first one, from 0 */
} FhCellCode;

void fh_cell_code_free (FhCellCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhCellCode, fh_cell_code_free)

/* The cells of a text, see cell-splitter.h: the one at the cursor is marked, and in the gutter are
 * the numbers of those that ran.
 *
 * Signal "run-next": Shift+Return. */
#define FH_TYPE_EDITOR_CELLS (fh_editor_cells_get_type ())
G_DECLARE_FINAL_TYPE (FhEditorCells, fh_editor_cells, FH, EDITOR_CELLS, GObject)

/* The view is not owned. */
FhEditorCells *fh_editor_cells_new (GtkSourceView *view);
/* They are not at first: then nothing is marked and no key is taken. */
void fh_editor_cells_set_active (FhEditorCells *self, gboolean active);

/* Returns what Ctrl+Return runs: the selection, or the cell at the cursor. NULL if there is nothing
 * in it. (transfer full) */
FhCellCode *fh_editor_cells_dup_current (FhEditorCells *self);
/* All cells that are not blank. (element-type FhCellCode) (transfer full) */
GPtrArray *fh_editor_cells_dup_all (FhEditorCells *self);
/* Puts the cursor into the next cell; adds one behind the last. */
void fh_editor_cells_go_next (FhEditorCells *self);

/* Marks the line as the first one of the cell that ran as that number. It moves with the text. */
void fh_editor_cells_mark (FhEditorCells *self, guint number, guint line);
void fh_editor_cells_set_mark (FhEditorCells *self, guint number, FhCellMark mark);
/* Finds the line, from 0, at which that cell is now. FALSE if it is not known any more. */
gboolean fh_editor_cells_find (FhEditorCells *self, guint number, guint *line);
/* Removes all marks. */
void fh_editor_cells_forget (FhEditorCells *self);
