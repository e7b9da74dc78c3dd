/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session-lines.h"

#include <gio/gunixinputstream.h>
#include <string.h>
#include <unistd.h>

#define PIECE_SIZE ((gsize) 64 << 10)

struct _FhSessionLines
{
  GInputStream *stream;
  GCancellable *cancellable;
  GByteArray *line; /* what has come of it */
  gboolean is_skipped;
  FhSessionLineFunc func;
  FhSessionLinesEndFunc end;
  gpointer user_data;
};

static void
end_line (FhSessionLines *self)
{
  g_autoptr (GByteArray) line = g_steal_pointer (&self->line);
  /* An empty array has no data. */
  const char *text = line->len > 0 ? (const char *) line->data : "";
  gboolean is_skipped = self->is_skipped;

  self->line = g_byte_array_new ();
  self->is_skipped = FALSE;
  self->func (is_skipped ? NULL : text, line->len, self->user_data);
}

static void
add (FhSessionLines *self, const guint8 *bytes, gsize size)
{
  if (self->line->len + size > FH_SESSION_LINE_MAX)
    self->is_skipped = TRUE;
  if (self->is_skipped)
    g_byte_array_set_size (self->line, 0);
  else
    g_byte_array_append (self->line, bytes, (guint) size);
}

static void read_on (FhSessionLines *self);

/* The source is not kept alive by a read that was cancelled: look at the error first. */
static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  FhSessionLines *self = user_data;
  const guint8 *at;
  gsize left;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  at = bytes != NULL ? g_bytes_get_data (bytes, &left) : NULL;
  if (at == NULL || left == 0)
    {
      if (self->line->len > 0 || self->is_skipped)
        end_line (self);
      self->end (self->user_data);
      return;
    }
  while (left > 0)
    {
      const guint8 *newline = memchr (at, '\n', left);
      const gsize size = newline != NULL ? (gsize) (newline - at) : left;

      add (self, at, size);
      if (newline != NULL)
        end_line (self);
      at += size + (newline != NULL);
      left -= size + (newline != NULL);
    }
  read_on (self);
}

static void
read_on (FhSessionLines *self)
{
  g_input_stream_read_bytes_async (self->stream,
                                   PIECE_SIZE,
                                   G_PRIORITY_DEFAULT,
                                   self->cancellable,
                                   read_cb,
                                   self);
}

FhSessionLines *
fh_session_lines_new (FhSessionLineFunc line, FhSessionLinesEndFunc end, gpointer user_data)
{
  FhSessionLines *self = g_new0 (FhSessionLines, 1);

  self->stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  self->cancellable = g_cancellable_new ();
  self->line = g_byte_array_new ();
  self->func = line;
  self->end = end;
  self->user_data = user_data;
  read_on (self);
  return self;
}

void
fh_session_lines_free (FhSessionLines *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  g_object_unref (self->stream);
  g_byte_array_unref (self->line);
  g_free (self);
}
