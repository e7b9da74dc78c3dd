/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-batch.h"

#include <string.h>

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

struct _FhOutputBatch
{
  GString *text;
  GArray *runs;  /* (element-type Run), together as long as `text` */
  guint changes; /* on the last line */
  guint max_changes;
};

FhOutputBatch *
fh_output_batch_new (void)
{
  FhOutputBatch *self = g_new0 (FhOutputBatch, 1);

  self->text = g_string_new (NULL);
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  self->max_changes = MAX_CHANGES_PER_LINE;
  return self;
}

void
fh_output_batch_free (FhOutputBatch *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->runs);
  g_free (self);
}

void
fh_output_batch_clear (FhOutputBatch *self)
{
  g_return_if_fail (self != NULL);

  g_string_truncate (self->text, 0);
  g_array_set_size (self->runs, 0);
  self->changes = 0;
}

void
fh_output_batch_set_hurried (FhOutputBatch *self, gboolean hurried)
{
  g_return_if_fail (self != NULL);

  self->max_changes = hurried ? MAX_CHANGES_PER_LINE_IN_HURRY : MAX_CHANGES_PER_LINE;
}

void
fh_output_batch_add (FhOutputBatch *self,
                     const char *text,
                     gsize size,
                     const FhAnsiStyle *style,
                     int meaning)
{
  Run *last;
  guint chars;

  g_return_if_fail (self != NULL && text != NULL && style != NULL);

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

gboolean
fh_output_batch_is_empty (FhOutputBatch *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->text->len == 0;
}

const char *
fh_output_batch_get_text (FhOutputBatch *self)
{
  g_return_val_if_fail (self != NULL, "");

  return self->text->str;
}

gsize
fh_output_batch_get_size (FhOutputBatch *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->text->len;
}

static void
apply_styles (FhOutputBatch *self, GtkTextBuffer *buffer, int offset, FhOutputStyles *styles)
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
apply_meanings (FhOutputBatch *self,
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

void
fh_output_batch_insert (FhOutputBatch *self,
                        GtkTextBuffer *buffer,
                        GtkTextIter *iter,
                        FhOutputStyles *styles,
                        gboolean mark_stderr)
{
  int offset;

  g_return_if_fail (self != NULL && iter != NULL);
  g_return_if_fail (GTK_IS_TEXT_BUFFER (buffer));
  g_return_if_fail (FH_IS_OUTPUT_STYLES (styles));

  offset = gtk_text_iter_get_offset (iter);
  gtk_text_buffer_insert (buffer, iter, self->text->str, (int) self->text->len);
  apply_styles (self, buffer, offset, styles);
  apply_meanings (self, buffer, offset, styles, mark_stderr);
  gtk_text_buffer_get_end_iter (buffer, iter);
}
