/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-writer.h"

#include <string.h>

#include "output/output-sources.h"
#include "text-lines.h"

/* Each change of style costs a text view memory and time. After this many on one line, the rest of
 * the line keeps the last style. */
#define MAX_CHANGES_PER_LINE          80
#define MAX_CHANGES_PER_LINE_IN_HURRY 8

typedef struct
{
  FhAnsiStyle style;
  int meaning; /* an FhOutputTag, or -1 */
  guint chars;
} Run;

/* Styled text that is inserted into a text buffer all at once, because the cost of an insertion
 * hardly depends on its length. */
typedef struct
{
  GString *text;
  GArray *runs;  /* (element-type Run), together as long as `text` */
  guint changes; /* on the last line */
  guint max_changes;
} Batch;

static Batch *
batch_new (void)
{
  Batch *self = g_new0 (Batch, 1);

  self->text = g_string_new (NULL);
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->max_changes = MAX_CHANGES_PER_LINE;
  return self;
}

static void
batch_free (Batch *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->runs);
  g_free (self);
}

static void
batch_clear (Batch *self)
{
  g_string_truncate (self->text, 0);
  g_array_set_size (self->runs, 0);
  self->changes = 0;
}

static void
batch_add (Batch *self, const char *text, gsize size, const FhAnsiStyle *style, int meaning)
{
  Run *last;
  guint chars;

  if (size == 0)
    return;
  last = self->runs->len > 0 ? &g_array_index (self->runs, Run, self->runs->len - 1) : NULL;
  chars = (guint) g_utf8_strlen (text, (gssize) size);
  g_string_append_len (self->text, text, (gssize) size);
  if (last != NULL && last->meaning == meaning &&
      (fh_ansi_style_equal (&last->style, style) || self->changes >= self->max_changes))
    last->chars += chars;
  else
    {
      Run run = { .style = *style, .meaning = meaning, .chars = chars };

      g_array_append_val (self->runs, run);
      self->changes++;
    }
  if (memchr (text, '\n', size) != NULL)
    self->changes = text[size - 1] == '\n' ? 0 : 1;
}

static void
apply_styles (const Batch *self, GtkTextBuffer *buffer, int offset, FhOutputStyles *styles)
{
  GtkTextTag *tags[FH_OUTPUT_STYLES_MAX_TAGS];

  for (guint i = 0; i < self->runs->len; i++)
    {
      const Run *run = &g_array_index (self->runs, Run, i);
      guint count = fh_ansi_style_is_plain (&run->style)
                        ? 0
                        : fh_output_styles_lookup (styles, &run->style, tags);

      if (count > 0)
        {
          GtkTextIter from, to;

          gtk_text_buffer_get_iter_at_offset (buffer, &from, offset);
          gtk_text_buffer_get_iter_at_offset (buffer, &to, offset + (int) run->chars);
          for (guint tag = 0; tag < count; tag++)
            gtk_text_buffer_apply_tag (buffer, tags[tag], &from, &to);
        }
      offset += (int) run->chars;
    }
}

static void
apply_meanings (const Batch *self,
                GtkTextBuffer *buffer,
                int offset,
                FhOutputStyles *styles,
                gboolean mark_stderr)
{
  for (guint i = 0; i < self->runs->len;)
    {
      const int meaning = g_array_index (self->runs, Run, i).meaning;
      int start = offset;

      for (; i < self->runs->len && g_array_index (self->runs, Run, i).meaning == meaning; i++)
        offset += (int) g_array_index (self->runs, Run, i).chars;
      if (meaning >= 0 && (mark_stderr || meaning != FH_OUTPUT_TAG_STDERR))
        {
          GtkTextIter from, to;

          gtk_text_buffer_get_iter_at_offset (buffer, &from, start);
          gtk_text_buffer_get_iter_at_offset (buffer, &to, offset);
          gtk_text_buffer_apply_tag (buffer,
                                     fh_output_styles_get_tag (styles, (FhOutputTag) meaning),
                                     &from,
                                     &to);
        }
    }
}

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
  Batch *complete;
  Batch *open;
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

  batch_add (self->complete, text, size, style, self->meaning);
}

static void
open_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  FhOutputWriter *self = data;

  batch_add (self->open, text, size, style, self->meaning);
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

  batch_clear (self->open);
  fh_text_lines_open_line (self->lines, open_cb, self);
  if (self->open->text->len > 0)
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
  self->complete = batch_new ();
  self->open = batch_new ();
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
  batch_free (self->complete);
  batch_free (self->open);
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
  batch_clear (self->complete);
  batch_clear (self->open);
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

  self->complete->max_changes = self->open->max_changes =
      hurried ? MAX_CHANGES_PER_LINE_IN_HURRY : MAX_CHANGES_PER_LINE;
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
insert_at_end (FhOutputWriter *self, const Batch *batch)
{
  GtkTextIter end;
  int line, offset;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  line = gtk_text_iter_get_line (&end);
  offset = gtk_text_iter_get_offset (&end);
  gtk_text_buffer_insert (self->buffer, &end, batch->text->str, (int) batch->text->len);
  apply_styles (batch, self->buffer, offset, self->styles);
  apply_meanings (batch, self->buffer, offset, self->styles, self->mark_stderr);
  link_places (self, batch->text->str, batch->text->len, line);
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
  if (self->complete->text->len > 0)
    {
      insert_at_end (self, self->complete);
      batch_clear (self->complete);
    }
  trim (self);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_move_mark (self->buffer, self->open_line, &end);
  batch_clear (self->open);
  fh_text_lines_open_line (self->lines, open_cb, self);
  if (self->open->text->len > 0)
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
