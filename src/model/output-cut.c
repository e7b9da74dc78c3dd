/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-cut.h"

#include <string.h>

#include "output-log-private.h"

gsize
fh_output_cut_incomplete_end (const guint8 *data, gsize size)
{
  for (gsize back = 1; back <= MIN (size, 3); back++)
    {
      guint8 byte = data[size - back];

      if ((byte & 0xc0) == 0x80)
        continue;
      if ((byte & 0xe0) == 0xc0)
        return back < 2 ? back : 0;
      if ((byte & 0xf0) == 0xe0)
        return back < 3 ? back : 0;
      return (byte & 0xf8) == 0xf0 ? back : 0;
    }
  return 0;
}

gsize
fh_output_cut_incomplete_start (const guint8 *data, gsize size)
{
  gsize count = 0;

  while (count < MIN (size, 3) && (data[count] & 0xc0) == 0x80)
    count++;
  return count;
}

/* The first half of `limit` and the last one. The head may be smaller than that: then the tail gets
 * the rest, which a log has room for. */
static void
copy_ends (FhOutputLog *cut, FhOutputLog *self, FhStream stream, guint64 limit)
{
  FhStreamView view = fh_output_log_view (self, stream);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GBytes) first = NULL;
  g_autoptr (GBytes) last = NULL;
  gsize head = view.head_size;
  gsize tail = view.tail_size;

  g_byte_array_append (all, view.head, (guint) view.head_size);
  g_byte_array_append (all, view.tail, (guint) view.tail_size);
  if (all->len > limit)
    {
      head = MIN ((gsize) limit / 2, view.skipped > 0 ? head : FH_OUTPUT_LOG_HEAD);
      tail = MIN ((gsize) limit - head, view.skipped > 0 ? tail : all->len);
      head -= fh_output_cut_incomplete_end (all->data, head);
      tail -= fh_output_cut_incomplete_start (all->data + all->len - tail, tail);
    }
  first = g_bytes_new (all->data, head);
  last = g_bytes_new (tail > 0 ? all->data + all->len - tail : NULL, tail);
  fh_output_log_restore_stream (cut, stream, first, last, fh_output_log_get_total (self, stream));
}

FhOutputLog *
fh_output_log_cut (FhOutputLog *self, guint64 limit)
{
  FhOutputLog *cut;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), NULL);
  g_return_val_if_fail (limit == 0 || limit >= FH_OUTPUT_CUT_MIN, NULL);

  if (limit == 0 || (fh_output_log_get_kept (self, FH_STREAM_STDOUT) <= limit &&
                     fh_output_log_get_kept (self, FH_STREAM_STDERR) <= limit))
    return g_object_ref (self);
  cut = fh_output_log_new ();
  copy_ends (cut, self, FH_STREAM_STDOUT, limit);
  copy_ends (cut, self, FH_STREAM_STDERR, limit);
  return cut;
}

gboolean
fh_output_log_is_truncated (FhOutputLog *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), FALSE);

  return fh_output_log_view (self, FH_STREAM_STDOUT).skipped > 0 ||
         fh_output_log_view (self, FH_STREAM_STDERR).skipped > 0;
}

char *
fh_output_log_dup_last_line (FhOutputLog *self, FhStream stream, glong max)
{
  g_autofree char *text = fh_output_log_dup_text (self, stream);
  const char *line;

  g_return_val_if_fail (text != NULL, NULL);

  g_strchomp (text);
  line = strrchr (text, '\n');
  line = line != NULL ? line + 1 : text;
  return g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), max));
}
