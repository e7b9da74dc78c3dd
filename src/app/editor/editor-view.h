/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "document/document.h"
#include "editor/editor-blocks.h"
#include "editor/editor-cells.h"
#include "run-language.h"
#include "run-request.h"
#include "run-result.h"
#include "settings.h"

/* The source code of one tab, with its find bar.
 *
 * Properties: language (a language id, "") and markdown, which can be set only; cursor-line and
 * cursor-column (read-only, from 1).
 * Signals:
 *   language-found (const char *id): the language of text pasted into the empty editor
 *   unwrapped (): a Markdown fence, or what a terminal showed beside what was typed, was removed
 *     from pasted text */
#define FH_TYPE_EDITOR_VIEW (fh_editor_view_get_type ())
G_DECLARE_FINAL_TYPE (FhEditorView, fh_editor_view, FH, EDITOR_VIEW, GtkWidget)

/* Line numbers and wrapping follow the settings. */
void fh_editor_view_follow (FhEditorView *self, FhSettings *settings);

/* The text that it shows, which is made with it. Borrowed. */
FhDocument *fh_editor_view_get_document (FhEditorView *self);

/* Inserts pasted text at the cursor. If it replaces all that there is, only the code in it is kept
 * and the language detected. Both can be undone. */
void fh_editor_view_insert_foreign (FhEditorView *self, const char *text);
/* Replaces the text by the whole of what was pasted, after "unwrapped". FALSE if the text has
 * changed since, and stays as it is. */
gboolean fh_editor_view_paste_all (FhEditorView *self);
/* The same with the text of the clipboard, once it is there. */
void fh_editor_view_paste (FhEditorView *self);

/* Character offset of the cursor, limited to the text. */
guint fh_editor_view_get_cursor (FhEditorView *self);
void fh_editor_view_set_cursor (FhEditorView *self, guint offset);

/* Moves the cursor, scrolls to the line and highlights it for a moment. Line and column from 1,
 * column 0 for the start of the line. Limited to the text. */
void fh_editor_view_go_to_line (FhEditorView *self, guint line, guint column);

/* Its cells, in a session. Borrowed. */
FhEditorCells *fh_editor_view_get_cells (FhEditorView *self);
/* The blocks of an answer. Borrowed. */
FhEditorBlocks *fh_editor_view_get_blocks (FhEditorView *self);

/* Marks lines that are worth a look, and those of a run: see look-gutter.h. */
void fh_editor_view_show_look (FhEditorView *self, GPtrArray *looks);
void fh_editor_view_show_run (FhEditorView *self, FhRunRequest *request, FhRunResult *result);

void fh_editor_view_begin_search (FhEditorView *self, gboolean replace);
/* Selects the next or previous match. */
void fh_editor_view_move_search (FhEditorView *self, gboolean forward);
