/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Code and what it prints are read from left to right, also where people read from right to left:
 * else indentation, line numbers and the scrollbar would begin at the wrong side. For a view in a
 * scrolled window. Directions are not inherited. */
static inline void
fh_read_from_left (GtkTextView *view)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_SCROLLED_WINDOW);

  gtk_widget_set_direction (GTK_WIDGET (view), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (scroller, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (gtk_scrolled_window_get_hscrollbar (GTK_SCROLLED_WINDOW (scroller)),
                            GTK_TEXT_DIR_LTR);
}
