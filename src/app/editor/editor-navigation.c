/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-view-private.h"

/* How long a line that was gone to stays lit. */
#define HIGHLIGHT_MS 1200

void
fh_editor_view_get_cursor_iter (FhEditorView *self, GtkTextIter *iter)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);

  gtk_text_buffer_get_iter_at_mark (buffer, iter, gtk_text_buffer_get_insert (buffer));
}

void
fh_editor_view_end_highlight (FhEditorView *self)
{
  g_clear_handle_id (&self->highlight_source, g_source_remove);
}

static void
clear_highlight (FhEditorView *self)
{
  GtkTextIter start;
  GtkTextIter end;

  fh_editor_view_end_highlight (self);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  gtk_text_buffer_remove_tag (GTK_TEXT_BUFFER (self->buffer), self->highlight, &start, &end);
}

static gboolean
highlight_over_cb (gpointer user_data)
{
  FhEditorView *self = FH_EDITOR_VIEW (user_data);

  self->highlight_source = 0;
  clear_highlight (self);
  return G_SOURCE_REMOVE;
}

static void
highlight_line (FhEditorView *self, const GtkTextIter *at)
{
  GtkSourceStyleScheme *scheme = gtk_source_buffer_get_style_scheme (self->buffer);
  GtkSourceStyle *style =
      scheme != NULL ? gtk_source_style_scheme_get_style (scheme, "search-match") : NULL;
  GtkTextIter start = *at;
  GtkTextIter end = *at;

  clear_highlight (self);
  gtk_source_style_apply (style, self->highlight);
  gtk_text_iter_set_line_offset (&start, 0);
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  gtk_text_buffer_apply_tag (GTK_TEXT_BUFFER (self->buffer), self->highlight, &start, &end);
  self->highlight_source = g_timeout_add (HIGHLIGHT_MS, highlight_over_cb, self);
}

void
fh_editor_view_go_to_line_action (GtkWidget *widget, const char *name, GVariant *target)
{
  guint line;
  guint column;

  g_variant_get (target, "(uu)", &line, &column);
  fh_editor_view_go_to_line (FH_EDITOR_VIEW (widget), line, column);
}

guint
fh_editor_view_get_cursor (FhEditorView *self)
{
  GtkTextIter cursor;

  g_return_val_if_fail (FH_IS_EDITOR_VIEW (self), 0);

  fh_editor_view_get_cursor_iter (self, &cursor);
  return (guint) gtk_text_iter_get_offset (&cursor);
}

void
fh_editor_view_set_cursor (FhEditorView *self, guint offset)
{
  GtkTextIter cursor;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  gtk_text_buffer_get_iter_at_offset (GTK_TEXT_BUFFER (self->buffer),
                                      &cursor,
                                      (int) MIN (offset, (guint) G_MAXINT));
  gtk_text_buffer_place_cursor (GTK_TEXT_BUFFER (self->buffer), &cursor);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->buffer)),
                                0.1,
                                FALSE,
                                0.0,
                                0.5);
}

void
fh_editor_view_go_to_line (FhEditorView *self, guint line, guint column)
{
  GtkTextBuffer *buffer;
  GtkTextIter at;
  int row;
  int offset;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  buffer = GTK_TEXT_BUFFER (self->buffer);
  row = (int) CLAMP (line, 1, (guint) gtk_text_buffer_get_line_count (buffer)) - 1;
  gtk_text_buffer_get_iter_at_line (buffer, &at, row);
  offset = gtk_text_iter_get_chars_in_line (&at);
  if (row < gtk_text_buffer_get_line_count (buffer) - 1)
    offset = MAX (offset - 1, 0);
  if (column > 0)
    gtk_text_iter_set_line_offset (&at, (int) MIN (column - 1, (guint) offset));

  gtk_text_buffer_place_cursor (buffer, &at);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                gtk_text_buffer_get_insert (buffer),
                                0.1,
                                TRUE,
                                0.0,
                                0.4);
  highlight_line (self, &at);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}
