/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "editor/block-chip.h"

/* The blocks of an answer in a text: a chip behind each fence, the number and how it ended in the
 * gutter, and prose that is dimmed or folded away. Numbers of blocks are from 1 on.
 *
 * Property: folded, whether only the code is to be seen. It ends when the cursor gets into the
 * rest, as after Undo or Go to Line. Signal "command" (guint number, const char *name, const char
 * *value): see FhBlockChip. */
#define FH_TYPE_EDITOR_BLOCKS (fh_editor_blocks_get_type ())
G_DECLARE_FINAL_TYPE (FhEditorBlocks, fh_editor_blocks, FH, EDITOR_BLOCKS, GObject)

/* The view is not owned. */
FhEditorBlocks *fh_editor_blocks_new (GtkSourceView *view);

/* `blocks`: (element-type FhAnswerBlock) of the text as it is now; NULL: it is no answer. Blocks
 * with the same text in the same place keep their state. `missing`: (element-type FhLanguage)
 * nullable: those for which nothing is installed. */
void fh_editor_blocks_show (FhEditorBlocks *self, GPtrArray *blocks, GPtrArray *missing);

/* The result that is shown is that of an earlier run: the chips do not say any more that the blocks
 * will run, until their text changes or some are run. */
void fh_editor_blocks_set_past (FhEditorBlocks *self);
/* Blocks from `first` on are about to run under their numbers. */
void fh_editor_blocks_begin (FhEditorBlocks *self, guint first, guint n_blocks);
void fh_editor_blocks_set_state (FhEditorBlocks *self, guint number, FhBlockState state);
/* Marks the blocks that wait for their turn as ones that will not run. */
void fh_editor_blocks_end (FhEditorBlocks *self);
/* Finds the line, from 0, at which the code of the block is now that ran under this number. FALSE
 * if it is gone. */
gboolean fh_editor_blocks_find (FhEditorBlocks *self, guint number, guint *line);
/* Marks a line of that block, from 1 on, as the one that failed. */
void fh_editor_blocks_mark_line (FhEditorBlocks *self, guint number, guint line);
/* Opens the menu of the block at the cursor, or of the next one. FALSE if there is none. */
gboolean fh_editor_blocks_open_menu (FhEditorBlocks *self);
