/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "run-language.h"
#include "settings.h"

G_BEGIN_DECLS

/* The source code of one tab, with its find bar.
 *
 * Properties: language (a language id, ""), cursor-line and cursor-column (read-only, from 1),
 * modified (since the text was set or saved).
 * Signals:
 *   changed (): the text is another one
 *   language-found (const char *id): what was pasted into the empty editor is of this language
 *   unwrapped (): a Markdown fence was taken off what was pasted
 * Action: editor.go-to-line (uu): line and column from 1, column 0 for the start of the line. */
#define FH_TYPE_EDITOR_VIEW (fh_editor_view_get_type ())
G_DECLARE_FINAL_TYPE (FhEditorView, fh_editor_view, FH, EDITOR_VIEW, GtkWidget)

GtkWidget *fh_editor_view_new (void);

/* Line numbers and wrapping follow the settings. */
void fh_editor_view_follow (FhEditorView *self, FhSettings *settings);

/* (transfer full) */
char *fh_editor_view_dup_text (FhEditorView *self);
gboolean fh_editor_view_is_empty (FhEditorView *self);
/* Replaces everything; cannot be undone, and is not a modification. */
void fh_editor_view_set_text (FhEditorView *self, const char *text);
/* Puts text that came from outside at the cursor. Into an empty editor it goes without its Markdown
 * fence, and its language is told by `language-found`. */
void fh_editor_view_insert_foreign (FhEditorView *self, const char *text);

void fh_editor_view_set_language (FhEditorView *self, const char *id);
gboolean fh_editor_view_get_modified (FhEditorView *self);
void fh_editor_view_set_modified (FhEditorView *self, gboolean modified);

/* Character offset of the cursor; out of range means the end. */
guint fh_editor_view_get_cursor (FhEditorView *self);
void fh_editor_view_set_cursor (FhEditorView *self, guint offset);

/* Moves the cursor there, shows the line and lights it up for a moment. A line behind the last one
 * means the last one. */
void fh_editor_view_go_to_line (FhEditorView *self, guint line, guint column);

void fh_editor_view_begin_search (FhEditorView *self, gboolean replace);
/* Goes to the next match, or the one before. */
void fh_editor_view_move_search (FhEditorView *self, gboolean forward);

G_END_DECLS
