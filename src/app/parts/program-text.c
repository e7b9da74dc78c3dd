/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/program-text.h"

#include "parts/calls.h"

#define NO_HYPHENS "no-hyphens"
#define MEASURING  "fh-measuring"

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

/* The view measures what is seen when it is scrolled, also if it stays where it is. One without a
 * size sees its last line at its top, and stays there; it measures when it gets one. */
static gboolean
measure_cb (GtkWidget *view, GdkFrameClock *clock, gpointer user_data)
{
  g_object_steal_data (G_OBJECT (view), MEASURING);
  if (gtk_widget_get_height (view) > 0)
    g_signal_emit_by_name (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)), "value-changed");
  return G_SOURCE_REMOVE;
}

/* After an input event GTK paints at once, before the idle in which the view measures a text that
 * has changed. A scroll bar would then learn its size only while it is painted, for which GTK
 * warns; so the text is measured at the beginning of the frame. */
static void
changed_cb (GtkWidget *view)
{
  if (gtk_widget_get_mapped (view) &&
      g_object_replace_data (G_OBJECT (view), MEASURING, NULL, view, NULL, NULL))
    gtk_widget_add_tick_callback (view, measure_cb, NULL, NULL);
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
  fh_connect (gtk_text_view_get_buffer (view), "changed", changed_cb, view);
}
