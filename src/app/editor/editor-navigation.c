/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "editor/editor-view-private.h"

/* How long the target line is highlighted. */
#define HIGHLIGHT_MS 1200

/* How often, and how many times, it is checked that the cursor is visible. */
#define SHOW_INTERVAL_MS 50
#define SHOW_TRIES       100

void
fh_editor_view_get_cursor_iter (FhEditorView *self, GtkTextIter *iter)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->document);

  gtk_text_buffer_get_iter_at_mark (buffer, iter, gtk_text_buffer_get_insert (buffer));
}

void
fh_editor_view_end_navigation (FhEditorView *self)
{
  g_clear_handle_id (&self->highlight_source, g_source_remove);
  g_clear_handle_id (&self->show_source, g_source_remove);
}

static void
clear_highlight (FhEditorView *self)
{
  GtkTextIter start;
  GtkTextIter end;

  g_clear_handle_id (&self->highlight_source, g_source_remove);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->document), &start, &end);
  gtk_text_buffer_remove_tag (GTK_TEXT_BUFFER (self->document), self->highlight, &start, &end);
}

static gboolean
highlight_over_cb (gpointer user_data)
{
  FhEditorView *self = FH_EDITOR_VIEW (user_data);

  self->highlight_source = 0;
  clear_highlight (self);
  return G_SOURCE_REMOVE;
}

/* The whole line, so that it works for an empty one, too. */
static void
highlight_line (FhEditorView *self, const GtkTextIter *at)
{
  GtkSourceStyleScheme *scheme =
      gtk_source_buffer_get_style_scheme (GTK_SOURCE_BUFFER (self->document));
  GtkSourceStyle *style =
      scheme != NULL ? gtk_source_style_scheme_get_style (scheme, "search-match") : NULL;
  g_autofree char *background = NULL;
  GtkTextIter start = *at;
  GtkTextIter end = *at;

  clear_highlight (self);
  if (style != NULL)
    g_object_get (style, "background", &background, NULL);
  g_object_set (self->highlight, "paragraph-background", background, NULL);
  gtk_text_iter_set_line_offset (&start, 0);
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_apply_tag (GTK_TEXT_BUFFER (self->document), self->highlight, &start, &end);
  self->highlight_source = g_timeout_add (HIGHLIGHT_MS, highlight_over_cb, self);
}

static gboolean
cursor_is_shown (FhEditorView *self)
{
  GtkTextIter cursor;
  GdkRectangle place;
  GdkRectangle visible;

  fh_editor_view_get_cursor_iter (self, &cursor);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (self->view), &cursor, &place);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (self->view), &visible);
  return visible.height > 0 && place.y >= visible.y &&
         place.y + place.height <= visible.y + visible.height;
}

static void
scroll_to_cursor (FhEditorView *self)
{
  /* Scrolling is wrong in a view without a size. */
  if (gtk_widget_get_height (GTK_WIDGET (self->view)) == 0)
    return;
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                gtk_text_buffer_get_insert (GTK_TEXT_BUFFER (self->document)),
                                0.1,
                                TRUE,
                                0.0,
                                0.4);
}

static gboolean
show_cursor_cb (gpointer user_data)
{
  FhEditorView *self = FH_EDITOR_VIEW (user_data);

  if (self->show_tries-- > 0 && !cursor_is_shown (self))
    {
      scroll_to_cursor (self);
      return G_SOURCE_CONTINUE;
    }
  self->show_source = 0;
  return G_SOURCE_REMOVE;
}

/* A view that is still measuring new text scrolls only as far as it has measured, so this is
 * repeated until the cursor is visible. */
void
fh_editor_view_show_cursor (FhEditorView *self)
{
  if (!cursor_is_shown (self))
    scroll_to_cursor (self);
  self->show_tries = SHOW_TRIES;
  if (self->show_source == 0)
    self->show_source = g_timeout_add (SHOW_INTERVAL_MS, show_cursor_cb, self);
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

  gtk_text_buffer_get_iter_at_offset (GTK_TEXT_BUFFER (self->document),
                                      &cursor,
                                      (int) MIN (offset, (guint) G_MAXINT));
  gtk_text_buffer_place_cursor (GTK_TEXT_BUFFER (self->document), &cursor);
  fh_editor_view_show_cursor (self);
}

void
fh_editor_view_go_to_line (FhEditorView *self, guint line, guint column)
{
  GtkTextBuffer *buffer;
  GtkTextIter at;
  int row;
  int offset;

  g_return_if_fail (FH_IS_EDITOR_VIEW (self));

  buffer = GTK_TEXT_BUFFER (self->document);
  row = (int) CLAMP (line, 1, (guint) gtk_text_buffer_get_line_count (buffer)) - 1;
  gtk_text_buffer_get_iter_at_line (buffer, &at, row);
  offset = gtk_text_iter_get_chars_in_line (&at);
  if (row < gtk_text_buffer_get_line_count (buffer) - 1)
    offset = MAX (offset - 1, 0);
  if (column > 0)
    gtk_text_iter_set_line_offset (&at, (int) MIN (column - 1, (guint) offset));

  gtk_text_buffer_place_cursor (buffer, &at);
  fh_editor_view_show_cursor (self);
  highlight_line (self, &at);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}
