/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "editor/editor-search.h"
#include "editor/editor-view.h"
#include "editor/look-gutter.h"

G_BEGIN_DECLS

struct _FhEditorView
{
  GtkWidget parent_instance;

  char *language;
  char *pasted; /* nullable: the whole text of which only code was kept; until the next change */
  gboolean markdown; /* it is highlighted instead */
  guint highlight_source;
  guint show_source;
  guint show_tries;
  GtkTextTag *highlight;
  GCancellable *cancellable;

  GtkWidget *box;
  FhEditorCells *cells;
  FhEditorBlocks *blocks;
  FhLookGutter *look; /* of the view */
  GtkSourceView *view;
  FhDocument *document;
  FhEditorSearch *search;
};

/* editor-navigation.c */
/* Scrolls to the cursor, as soon as the view has measured the text. */
void fh_editor_view_show_cursor (FhEditorView *self);
void fh_editor_view_get_cursor_iter (FhEditorView *self, GtkTextIter *iter);
void fh_editor_view_end_navigation (FhEditorView *self);
void fh_editor_view_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target);

/* editor-paste.c */
void fh_editor_view_paste_cb (GtkTextView *view, FhEditorView *self);
/* Accepts drops of text, which are treated as if they were pasted where they replace the whole
 * text. */
void fh_editor_view_accept_drops (FhEditorView *self);

G_END_DECLS
