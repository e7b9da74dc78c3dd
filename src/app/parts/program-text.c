/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/program-text.h"

#define NO_HYPHENS "no-hyphens"

static void
inserted_cb (GtkTextBuffer *buffer, const GtkTextIter *end, const char *text, int length)
{
  GtkTextIter start = *end;

  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (text, length));
  gtk_text_buffer_apply_tag_by_name (buffer, NO_HYPHENS, &start, end);
}

/* The view has no property for hyphens, so a tag forbids them. */
static void
forbid_hyphens (GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  /* Buffers of one kind of output share their tags. */
  if (gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), NO_HYPHENS) == NULL)
    gtk_text_buffer_create_tag (buffer, NO_HYPHENS, "insert-hyphens", FALSE, NULL);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_apply_tag_by_name (buffer, NO_HYPHENS, &start, &end);
  g_signal_connect_after (buffer, "insert-text", G_CALLBACK (inserted_cb), NULL);
}

/* Directions are not inherited. */
void
fh_show_program_text (GtkTextView *view)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);

  gtk_widget_set_direction (GTK_WIDGET (view), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (scroller, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (gtk_scrolled_window_get_hscrollbar (GTK_SCROLLED_WINDOW (scroller)),
                            GTK_TEXT_DIR_LTR);
  forbid_hyphens (gtk_text_view_get_buffer (view));
}
