/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/line-marks.h"

static const char *const categories[] = {
  FH_LINE_MARK_CALL,   FH_LINE_MARK_SIGN,  FH_LINE_MARK_STOPPED,
  FH_LINE_MARK_FAILED, FH_LINE_MARK_BLOCK,
};

/* Removes the marks from the line of the first place to that of the last one. */
static void
forget (GtkSourceBuffer *buffer, GtkTextIter first, const GtkTextIter *last)
{
  gtk_text_iter_set_line_offset (&first, 0);
  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    gtk_source_buffer_remove_source_marks (buffer, &first, last, categories[i]);
}

/* A line keeps its text where only its end of line goes, or all that is before it. */
static void
delete_range_cb (GtkSourceBuffer *buffer, const GtkTextIter *start, const GtkTextIter *end)
{
  GtkTextIter first = *start;
  GtkTextIter last = *end;

  if (gtk_text_iter_ends_line (&first) && gtk_text_iter_ends_line (&last))
    gtk_text_iter_forward_line (&first);
  else if (gtk_text_iter_starts_line (&first) && gtk_text_iter_starts_line (&last))
    gtk_text_iter_backward_char (&last);
  forget (buffer, first, &last);
}

static void
inserted_cb (GtkSourceBuffer *buffer, const GtkTextIter *end, const char *text, int length)
{
  GtkTextIter start = *end;
  g_autoptr (GSList) marks = NULL;

  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (text, length));
  if (*text == '\n' && gtk_text_iter_ends_line (end))
    return;
  if (!gtk_text_iter_starts_line (&start) || !gtk_text_iter_starts_line (end))
    {
      forget (buffer, start, &start);
      return;
    }
  marks = gtk_source_buffer_get_source_marks_at_iter (buffer, &start, NULL);
  for (GSList *at = marks; at != NULL; at = at->next)
    gtk_text_buffer_move_mark (GTK_TEXT_BUFFER (buffer), at->data, end);
}

void
fh_line_marks_follow (GtkSourceBuffer *buffer)
{
  g_return_if_fail (GTK_SOURCE_IS_BUFFER (buffer));

  g_signal_connect (buffer, "delete-range", G_CALLBACK (delete_range_cb), NULL);
  g_signal_connect_after (buffer, "insert-text", G_CALLBACK (inserted_cb), NULL);
}
