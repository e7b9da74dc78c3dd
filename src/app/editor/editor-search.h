/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

/* The find and replace bar below a source view; hidden at first. */
#define FH_TYPE_EDITOR_SEARCH (fh_editor_search_get_type ())
G_DECLARE_FINAL_TYPE (FhEditorSearch, fh_editor_search, FH, EDITOR_SEARCH, GtkWidget)

/* The view is not owned. Call once. */
void fh_editor_search_set_view (FhEditorSearch *self, GtkSourceView *view);

/* Shows the bar, with the selected word in it, and takes the focus. */
void fh_editor_search_begin (FhEditorSearch *self, gboolean replace);
void fh_editor_search_move (FhEditorSearch *self, gboolean forward);
