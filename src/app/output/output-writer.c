/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-writer.h"

#include <string.h>

#include "output/output-batch.h"
#include "output/output-sources.h"
#include "text-lines.h"

/* Allowed above the limits, so that trimming is rare. */
#define SLACK_CHARS (FH_OUTPUT_WRITER_MAX_CHARS / 8)
#define SLACK_LINES (FH_OUTPUT_WRITER_MAX_LINES / 8)

/* Invariant between flushes: the text before `open_line` is final; what follows is the unfinished
 * line as of the last flush. `complete` holds the text that became final since then. */
struct _FhOutputWriter
{
  GtkTextBuffer *buffer;
  FhOutputStyles *styles;
  GtkTextMark *open_line; /* owned by the buffer */
  FhAnsiParser *parsers[FH_STREAM_STDERR + 1];
  FhTextLines *lines;
  FhOutputBatch *complete;
  FhOutputBatch *open;
  FhStream stream;    /* of the unfinished line */
  int meaning;        /* likewise: an FhOutputTag, or -1 */
  GPtrArray *sources; /* nullable */
  gboolean mark_stderr;
  guint64 trimmed;
};

static void
complete_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  FhOutputWriter *self = data;

  fh_output_batch_add (self->complete, text, size, style, self->meaning);
}

static void
open_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  FhOutputWriter *self = data;

  fh_output_batch_add (self->open, text, size, style, self->meaning);
}

static void
parsed_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  FhOutputWriter *self = data;

  fh_text_lines_feed (self->lines, text, size, style, complete_cb, self);
}

static void
set_stream (FhOutputWriter *self, FhStream stream)
{
  self->stream = stream;
  self->meaning = stream == FH_STREAM_STDERR ? FH_OUTPUT_TAG_STDERR : -1;
}

/* Ends the unfinished line, unless it is empty. */
static void
break_line (FhOutputWriter *self)
{
  static const FhAnsiStyle plain = { .foreground = FH_ANSI_DEFAULT, .background = FH_ANSI_DEFAULT };

  fh_output_batch_clear (self->open);
  fh_text_lines_open_line (self->lines, open_cb, self);
  if (!fh_output_batch_is_empty (self->open))
    fh_text_lines_feed (self->lines, "\n", 1, &plain, complete_cb, self);
}

/* After a gap the text starts in the middle of a line or a character: skips to the next line, or to
 * the next carriage return of a progress bar. */
static void
resume_after_gap (FhOutputWriter *self, const guint8 **data, gsize *size)
{
  const guint8 *place = memchr (*data, '\n', *size);

  if (place == NULL && (place = memchr (*data, '\r', *size)) != NULL)
    {
      *size -= (gsize) (place - *data);
      *data = place;
      return;
    }
  if (place != NULL)
    {
      *size -= (gsize) (place + 1 - *data);
      *data = place + 1;
    }
  break_line (self);
}

FhOutputWriter *
fh_output_writer_new (GtkTextBuffer *buffer, FhOutputStyles *styles)
{
  FhOutputWriter *self;
  GtkTextIter start;

  g_return_val_if_fail (GTK_IS_TEXT_BUFFER (buffer), NULL);
  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);

  self = g_new0 (FhOutputWriter, 1);
  self->buffer = g_object_ref (buffer);
  self->styles = g_object_ref (styles);
  self->parsers[FH_STREAM_STDOUT] = fh_ansi_parser_new ();
  self->parsers[FH_STREAM_STDERR] = fh_ansi_parser_new ();
  self->lines = fh_text_lines_new ();
  self->complete = fh_output_batch_new ();
  self->open = fh_output_batch_new ();
  set_stream (self, FH_STREAM_STDOUT);
  gtk_text_buffer_get_start_iter (buffer, &start);
  self->open_line = gtk_text_buffer_create_mark (buffer, NULL, &start, TRUE);
  return self;
}

void
fh_output_writer_free (FhOutputWriter *self)
{
  gtk_text_buffer_delete_mark (self->buffer, self->open_line);
  fh_ansi_parser_free (self->parsers[FH_STREAM_STDOUT]);
  fh_ansi_parser_free (self->parsers[FH_STREAM_STDERR]);
  fh_text_lines_free (self->lines);
  fh_output_batch_free (self->complete);
  fh_output_batch_free (self->open);
  g_object_unref (self->styles);
  g_object_unref (self->buffer);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_free (self);
}

void
fh_output_writer_reset (FhOutputWriter *self, GPtrArray *sources, gboolean mark_stderr)
{
  g_return_if_fail (self != NULL);

  fh_ansi_parser_reset (self->parsers[FH_STREAM_STDOUT]);
  fh_ansi_parser_reset (self->parsers[FH_STREAM_STDERR]);
  fh_text_lines_reset (self->lines);
  fh_output_batch_clear (self->complete);
  fh_output_batch_clear (self->open);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  self->sources = sources != NULL ? g_ptr_array_ref (sources) : NULL;
  self->mark_stderr = mark_stderr;
  self->trimmed = 0;
  gtk_text_buffer_set_text (self->buffer, "", 0);
}

void
fh_output_writer_set_hurried (FhOutputWriter *self, gboolean hurried)
{
  g_return_if_fail (self != NULL);

  fh_output_batch_set_hurried (self->complete, hurried);
  fh_output_batch_set_hurried (self->open, hurried);
}

void
fh_output_writer_feed (FhOutputWriter *self,
                       FhStream stream,
                       const guint8 *data,
                       gsize size,
                       gboolean skipped)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR);

  if (stream != self->stream)
    {
      break_line (self);
      set_stream (self, stream);
    }
  if (skipped)
    resume_after_gap (self, &data, &size);
  fh_ansi_parser_feed (self->parsers[stream], data, size, parsed_cb, self);
}

static void
echo_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  static const FhAnsiStyle typed = {
    .foreground = FH_ANSI_DEFAULT,
    .background = FH_ANSI_DEFAULT,
    .bold = TRUE,
    .italic = TRUE,
  };
  FhOutputWriter *self = data;

  fh_text_lines_feed (self->lines, text, size, &typed, complete_cb, self);
}

/* The echo is parsed apart: it must not complete a sequence or a character that the program has
 * begun. */
void
fh_output_writer_echo (FhOutputWriter *self, const guint8 *text, gsize size)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();

  g_return_if_fail (self != NULL && text != NULL);

  fh_ansi_parser_feed (parser, text, size, echo_cb, self);
  fh_ansi_parser_finish (parser, echo_cb, self);
}

void
fh_output_writer_note (FhOutputWriter *self, const char *text)
{
  static const FhAnsiStyle style = {
    .foreground = FH_ANSI_DEFAULT,
    .background = FH_ANSI_DEFAULT,
    .dim = TRUE,
    .italic = TRUE,
  };

  g_return_if_fail (self != NULL && text != NULL);

  break_line (self);
  fh_text_lines_feed (self->lines, text, strlen (text), &style, complete_cb, self);
  break_line (self);
}

void
fh_output_writer_finish (FhOutputWriter *self)
{
  FhStream last, other;

  g_return_if_fail (self != NULL);

  last = self->stream;
  other = last == FH_STREAM_STDOUT ? FH_STREAM_STDERR : FH_STREAM_STDOUT;
  fh_ansi_parser_finish (self->parsers[last], parsed_cb, self);
  set_stream (self, other);
  fh_ansi_parser_finish (self->parsers[other], parsed_cb, self);
  set_stream (self, last);
}

void
fh_output_writer_say (FhOutputWriter *self, FhOutputTag tag, const char *text)
{
  g_return_if_fail (self != NULL && text != NULL);

  break_line (self);
  fh_ansi_parser_reset (self->parsers[FH_STREAM_STDOUT]);
  fh_ansi_parser_reset (self->parsers[FH_STREAM_STDERR]);
  self->meaning = (int) tag;
  fh_ansi_parser_feed (self->parsers[FH_STREAM_STDOUT],
                       (const guint8 *) text,
                       strlen (text),
                       parsed_cb,
                       self);
  fh_ansi_parser_finish (self->parsers[FH_STREAM_STDOUT], parsed_cb, self);
  break_line (self);
  fh_ansi_parser_reset (self->parsers[FH_STREAM_STDOUT]);
  set_stream (self, self->stream);
}

/* Tags the places in the text that name a line of that file. */
static void
link_file (FhOutputWriter *self,
           const char *file_name,
           const char *text,
           gsize size,
           int first_line)
{
  const char *at = text;
  const char *end = text + size;
  const char *line = text;
  int number = first_line;

  while ((at = memmem (at, (gsize) (end - at), file_name, strlen (file_name))) != NULL)
    {
      const char *line_end = memchr (at, '\n', (gsize) (end - at));
      FhSourcePlace place;

      for (const char *next; (next = memchr (line, '\n', (gsize) (at - line))) != NULL; number++)
        line = next + 1;
      if (line_end == NULL)
        line_end = end;
      if (fh_traceback_find (line, (gsize) (line_end - line), file_name, &place))
        {
          GtkTextIter from, to;

          gtk_text_buffer_get_iter_at_line_index (self->buffer, &from, number, (int) place.start);
          gtk_text_buffer_get_iter_at_line_index (self->buffer, &to, number, (int) place.end);
          gtk_text_buffer_apply_tag (self->buffer,
                                     fh_output_styles_get_tag (self->styles, FH_OUTPUT_TAG_LINK),
                                     &from,
                                     &to);
        }
      at = line_end;
    }
}

/* Links places in the user's source in the same way. */
static void
link_places (FhOutputWriter *self, const char *text, gsize size, int first_line)
{
  for (guint i = 0; self->sources != NULL && i < self->sources->len; i++)
    link_file (self, fh_output_sources_get_file_name (self->sources, i), text, size, first_line);
}

static void
insert_at_end (FhOutputWriter *self, FhOutputBatch *batch)
{
  GtkTextIter end;
  int line;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  line = gtk_text_iter_get_line (&end);
  fh_output_batch_insert (batch, self->buffer, &end, self->styles, self->mark_stderr);
  link_places (self, fh_output_batch_get_text (batch), fh_output_batch_get_size (batch), line);
}

static void
trim (FhOutputWriter *self)
{
  int chars = gtk_text_buffer_get_char_count (self->buffer);
  int lines = gtk_text_buffer_get_line_count (self->buffer);
  GtkTextIter start, end;

  if (chars <= FH_OUTPUT_WRITER_MAX_CHARS + SLACK_CHARS &&
      lines <= FH_OUTPUT_WRITER_MAX_LINES + SLACK_LINES)
    return;
  gtk_text_buffer_get_start_iter (self->buffer, &start);
  gtk_text_buffer_get_iter_at_offset (self->buffer,
                                      &end,
                                      MAX (0, chars - FH_OUTPUT_WRITER_MAX_CHARS));
  if (gtk_text_iter_get_line (&end) < lines - FH_OUTPUT_WRITER_MAX_LINES)
    gtk_text_buffer_get_iter_at_line (self->buffer, &end, lines - FH_OUTPUT_WRITER_MAX_LINES);
  else if (!gtk_text_iter_starts_line (&end))
    gtk_text_iter_forward_line (&end);
  self->trimmed += (guint64) gtk_text_iter_get_offset (&end);
  gtk_text_buffer_delete (self->buffer, &start, &end);
}

void
fh_output_writer_flush (FhOutputWriter *self)
{
  GtkTextIter start, end;

  g_return_if_fail (self != NULL);

  gtk_text_buffer_get_iter_at_mark (self->buffer, &start, self->open_line);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_delete (self->buffer, &start, &end);
  if (!fh_output_batch_is_empty (self->complete))
    {
      insert_at_end (self, self->complete);
      fh_output_batch_clear (self->complete);
    }
  trim (self);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_move_mark (self->buffer, self->open_line, &end);
  fh_output_batch_clear (self->open);
  fh_text_lines_open_line (self->lines, open_cb, self);
  if (!fh_output_batch_is_empty (self->open))
    insert_at_end (self, self->open);
}

gboolean
fh_output_writer_is_full (FhOutputWriter *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return gtk_text_buffer_get_char_count (self->buffer) >= FH_OUTPUT_WRITER_MAX_CHARS ||
         gtk_text_buffer_get_line_count (self->buffer) >= FH_OUTPUT_WRITER_MAX_LINES;
}

guint64
fh_output_writer_get_trimmed (FhOutputWriter *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->trimmed;
}
