/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-cut.h"

#include <string.h>

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

/* Behind the frames, which are indented, and `margin`, which a group has before all of its lines.
 * NULL: it is not there, as with a part that was left out. */
static const char *
skip_frames (const char *line, const char *margin)
{
  const gsize size = strlen (margin);

  while (line != NULL && g_str_has_prefix (line, margin))
    {
      const char first = line[size];

      if (first != ' ')
        return g_ascii_isalpha (first) || first == '_' || (first & 0x80) != 0 ? line + size : NULL;
      line = strchr (line, '\n');
      line = line != NULL ? line + 1 : NULL;
    }
  return NULL;
}

/* Finds the line in which Python names the exception of its last traceback. Notes, the rest of a
 * message and the members of a group come behind it. */
static const char *
find_exception (const char *text)
{
  static const char title[] = "Traceback (most recent call last):\n";
  static const char group[] = "  + Exception Group ";
  const gsize group_size = sizeof group - 1;
  const char *found = NULL;

  for (const char *at = text; (at = strstr (at, title)) != NULL; at++)
    {
      const gsize before = (gsize) (at - text);
      const char *frames = at + sizeof title - 1;
      const gboolean is_group =
          before >= group_size && strncmp (at - group_size, group, group_size) == 0;
      const char *start = is_group ? at - group_size : at;

      if (start == text || start[-1] == '\n')
        found = skip_frames (frames, is_group ? "  | " : "");
    }
  return found;
}

/* Finds the last line that calls itself an error, as those of pip, git and cargo do. Hints come
 * behind it. */
static const char *
find_called_error (const char *text)
{
  const char *found = NULL;

  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      line += *line == '\n';
      if (g_ascii_strncasecmp (line, "error:", 6) == 0 ||
          g_ascii_strncasecmp (line, "fatal:", 6) == 0)
        found = line;
    }
  return found;
}

char *
fh_output_log_dup_error (FhOutputLog *self, FhStream stream, glong max)
{
  g_autofree char *text = fh_output_log_dup_text (self, stream);
  const char *line;
  const char *end;

  g_return_val_if_fail (text != NULL, NULL);

  g_strchomp (text);
  line = find_exception (text);
  if (line == NULL)
    line = find_called_error (text);
  if (line == NULL)
    line = strrchr (text, '\n') != NULL ? strrchr (text, '\n') + 1 : text;
  end = line + strcspn (line, "\r\n");
  return g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, end - line), max));
}
