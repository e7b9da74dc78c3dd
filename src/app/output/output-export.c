/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-export.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "ansi-parser.h"
#include "parts/calls.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

static void
add_piece_cb (const FhOutputPiece *piece, gpointer user_data)
{
  GByteArray *bytes = user_data;

  if (piece->skipped > 0)
    {
      g_autofree char *note = NULL;

      /* Translators: replaces a part of the output that was not kept. */
      note = g_strdup_printf (ngettext ("[… %" PRIu64 " byte left out …]\n",
                                        "[… %" PRIu64 " bytes left out …]\n",
                                        (gulong) piece->skipped),
                              piece->skipped);
      if (bytes->len > 0 && bytes->data[bytes->len - 1] != '\n')
        g_byte_array_append (bytes, (const guint8 *) "\n", 1);
      g_byte_array_append (bytes, (const guint8 *) note, (guint) strlen (note));
    }
  g_byte_array_append (bytes, piece->data, (guint) piece->size);
}

GBytes *
fh_output_export_bytes (FhOutputLog *log, guint streams)
{
  GByteArray *bytes;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (log), NULL);

  if (streams != BOTH)
    return fh_output_log_dup_bytes (log, streams);
  bytes = g_byte_array_new ();
  fh_output_log_foreach (log, add_piece_cb, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

static void
add_text_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  g_string_append_len (data, text, (gssize) size);
}

/* Keeps only what follows the last carriage return of a line, as a terminal shows it. */
static void
resolve_returns (GString *text)
{
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);

  g_string_truncate (text, 0);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize length = strlen (lines[i]);
      const char *last;

      while (length > 0 && lines[i][length - 1] == '\r')
        lines[i][--length] = '\0';
      last = strrchr (lines[i], '\r');
      if (i > 0)
        g_string_append_c (text, '\n');
      for (const char *at = last != NULL ? last + 1 : lines[i]; *at != '\0'; at++)
        if (*at == '\t' || (guchar) *at >= ' ')
          g_string_append_c (text, *at);
    }
}

char *
fh_output_export_text (FhOutputLog *log, guint streams)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  g_autoptr (GBytes) bytes = fh_output_export_bytes (log, streams);
  GString *text = g_string_new (NULL);
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  fh_ansi_parser_feed (parser, data, size, add_text_cb, text);
  fh_ansi_parser_finish (parser, add_text_cb, text);
  resolve_returns (text);
  return g_string_free (text, FALSE);
}

const char *
fh_output_export_file_name (guint streams)
{
  if (streams == FH_STREAM_STDOUT)
    return "stdout.txt";
  if (streams == FH_STREAM_STDERR)
    return "stderr.txt";
  return "output.txt";
}

void
fh_output_export_save_async (GFile *file,
                             FhOutputLog *log,
                             guint streams,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GBytes) output = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (FH_IS_OUTPUT_LOG (log));

  output = fh_output_export_bytes (log, streams);
  bytes = fh_bytes_to_write (output);
  g_file_replace_contents_bytes_async (file,
                                       bytes,
                                       NULL,
                                       FALSE,
                                       G_FILE_CREATE_NONE,
                                       cancellable,
                                       callback,
                                       user_data);
}

gboolean
fh_output_export_save_finish (GFile *file, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  return g_file_replace_contents_finish (file, result, NULL, error);
}

FhOutputLog *
fh_output_export_new_log (GtkTextBuffer *buffer, guint streams)
{
  FhOutputLog *log = fh_output_log_new ();
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  g_return_val_if_fail (GTK_IS_TEXT_BUFFER (buffer), log);

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  fh_output_log_append (log,
                        streams & FH_STREAM_STDOUT ? FH_STREAM_STDOUT : FH_STREAM_STDERR,
                        0,
                        text,
                        strlen (text));
  return log;
}
