/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-marker.h"

#include <string.h>

char *
fh_batch_marker_append (GString *program)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, program->str, -1);
  char *marker = g_strdup_printf ("end-%.32s", sum);

  /* The marker is not written by print(), which the program may have replaced together with
   * sys.stdout. */
  g_string_append_printf (program, "\n__import__(\"os\").write(1, b\"%s\")\n", marker);
  return marker;
}

gboolean
fh_batch_marker_is_in (FhOutputLog *output, const char *marker)
{
  g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return size > 0 && memmem (data, size, marker, strlen (marker)) != NULL;
}

typedef struct
{
  FhOutputLog *clean;
  const char *marker;
  gboolean is_removed;
} Removal;

static void
copy_piece (const FhOutputPiece *piece, gpointer user_data)
{
  Removal *removal = user_data;
  const gsize length = strlen (removal->marker);
  const guint8 *at = NULL;
  gsize done = 0;

  if (piece->stream == FH_STREAM_STDOUT && !removal->is_removed)
    at = memmem (piece->data, piece->size, removal->marker, length);
  if (at != NULL)
    {
      removal->is_removed = TRUE;
      done = (gsize) (at - piece->data);
      fh_output_log_append (removal->clean, piece->stream, piece->time_us, piece->data, done);
      done += length;
    }
  fh_output_log_append (removal->clean,
                        piece->stream,
                        piece->time_us,
                        piece->data + done,
                        piece->size - done);
}

FhRunResult *
fh_batch_marker_remove (FhRunResult *result, const char *marker)
{
  FhRunResultParts parts = *fh_run_result_get_parts (result);
  Removal removal = { .marker = marker };
  FhRunResult *clean = NULL;

  if (marker == NULL)
    return g_object_ref (result);
  for (guint stream = FH_STREAM_STDOUT; stream <= FH_STREAM_STDERR; stream++)
    {
      if (fh_output_log_get_total (parts.output, stream) !=
          fh_output_log_get_kept (parts.output, stream))
        return g_object_ref (result);
    }
  removal.clean = fh_output_log_new ();
  fh_output_log_foreach (parts.output, copy_piece, &removal);
  fh_output_log_freeze (removal.clean);
  parts.output = removal.clean;
  clean = removal.is_removed ? fh_run_result_new (&parts) : g_object_ref (result);
  g_object_unref (removal.clean);
  return clean;
}
