/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-lines.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "run-error.h"

#define PIECE ((gsize) 64 << 10)

/* `raw` is what was read, `text` the same unpacked; of both, `start` begins what was not used. */
struct _FhBatchLines
{
  char *name; /* for people */
  int fd;
  GConverter *unpacker; /* nullable: the file is plain text */
  GByteArray *raw;
  gsize raw_start;
  gboolean raw_ended;
  gboolean is_inside; /* a packed file has begun, and not ended */

  GByteArray *text;
  gsize start;
  gboolean ended;

  FhBatchPlace place; /* of the last line */
};

static gboolean
fail (FhBatchLines *self, int code, GError **error)
{
  g_set_error (error,
               G_IO_ERROR,
               g_io_error_from_errno (code),
               _ ("“%s” cannot be read: %s."),
               self->name,
               g_strerror (code));
  return FALSE;
}

/* Appends what comes next in the file. */
static gboolean
read_raw (FhBatchLines *self, GByteArray *to, GError **error)
{
  const guint size = to->len;
  gssize n;

  g_byte_array_set_size (to, size + (guint) PIECE);
  do
    n = read (self->fd, to->data + size, PIECE);
  while (n < 0 && errno == EINTR);
  g_byte_array_set_size (to, size + (guint) MAX (n, 0));
  if (n < 0)
    return fail (self, errno, error);
  self->raw_ended = n == 0;
  return TRUE;
}

/* One step of the unpacker. A file may hold several packed ones, one after the other. */
static gboolean
unpack (FhBatchLines *self, GError **error)
{
  const guint size = self->text->len;
  gsize n_read = 0;
  gsize n_written = 0;
  GConverterResult result;
  GError *reason = NULL;

  g_byte_array_set_size (self->text, size + (guint) PIECE);
  result = g_converter_convert (self->unpacker,
                                self->raw->data + self->raw_start,
                                self->raw->len - self->raw_start,
                                self->text->data + size,
                                PIECE,
                                self->raw_ended ? G_CONVERTER_INPUT_AT_END : 0,
                                &n_read,
                                &n_written,
                                &reason);
  g_byte_array_set_size (self->text, size + (guint) n_written);
  self->raw_start += n_read;
  self->is_inside = result != G_CONVERTER_FINISHED;
  if (result == G_CONVERTER_FINISHED)
    g_converter_reset (self->unpacker);
  if (result != G_CONVERTER_ERROR)
    return TRUE;
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) && !self->raw_ended)
    {
      g_error_free (reason);
      return read_raw (self, self->raw, error);
    }
  fh_run_error_refuse (error, _ ("“%s” is damaged: %s."), self->name, reason->message);
  g_error_free (reason);
  return FALSE;
}

static gboolean
fill (FhBatchLines *self, GError **error)
{
  if (self->start > 0)
    {
      g_byte_array_remove_range (self->text, 0, (guint) self->start);
      self->start = 0;
    }
  if (self->unpacker == NULL)
    {
      gboolean ok = read_raw (self, self->text, error);

      self->ended = self->raw_ended;
      return ok;
    }
  if (self->raw_start == self->raw->len)
    {
      g_byte_array_set_size (self->raw, 0);
      self->raw_start = 0;
      if (!self->raw_ended && !read_raw (self, self->raw, error))
        return FALSE;
      self->ended = self->raw_ended && !self->is_inside;
    }
  return self->ended || unpack (self, error);
}

/* The size of the next line without its newline. */
static gboolean
find_end (FhBatchLines *self, gsize *size, GError **error)
{
  gsize seen = 0;

  for (;;)
    {
      const gsize room = self->text->len - self->start;
      const gsize from = self->start + seen;
      const guint8 *newline =
          room > seen ? memchr (self->text->data + from, '\n', room - seen) : NULL;

      if (newline != NULL || self->ended)
        {
          *size = newline != NULL ? (gsize) (newline - self->text->data) - self->start : room;
          self->place.is_torn = newline == NULL;
          return TRUE;
        }
      if (room > FH_BATCH_MAX_LINE)
        return fh_run_error_refuse (error,
                                    _ ("“%s”, line %" PRIu64 ": The line is too long."),
                                    self->name,
                                    self->place.number + 1);
      seen = room;
      if (!fill (self, error))
        return FALSE;
    }
}

static gboolean
is_blank (const char *line, gsize size)
{
  gsize i = 0;

  while (i < size && g_ascii_isspace (line[i]))
    i++;
  return i == size;
}

const char *
fh_batch_lines_next (FhBatchLines *self, gsize *size, GError **error)
{
  const char *line;

  g_return_val_if_fail (self != NULL && size != NULL, NULL);

  do
    {
      if (!find_end (self, size, error) || (self->place.is_torn && *size == 0))
        return NULL;
      line = (const char *) self->text->data + self->start;
      self->start += *size + !self->place.is_torn;
      self->place.offset += *size + !self->place.is_torn;
      self->place.number++;
    }
  while (is_blank (line, *size));
  return line;
}

const FhBatchPlace *
fh_batch_lines_get_place (FhBatchLines *self)
{
  return &self->place;
}

void
fh_batch_lines_prefix (FhBatchLines *self, GError **error)
{
  /* Translators: the name of a file and the number of a line; a sentence follows. */
  g_prefix_error (error, _ ("“%s”, line %" PRIu64 ": "), self->name, self->place.number);
}

void
fh_batch_lines_free (FhBatchLines *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_clear_object (&self->unpacker);
  g_byte_array_unref (self->raw);
  g_byte_array_unref (self->text);
  g_free (self->name);
  g_free (self);
}

FhBatchLines *
fh_batch_lines_open (const char *path, GError **error)
{
  g_autoptr (FhBatchLines) self = g_new0 (FhBatchLines, 1);

  self->name = g_filename_display_basename (path);
  self->raw = g_byte_array_new ();
  self->text = g_byte_array_new ();
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (self->fd < 0)
    {
      fail (self, errno, error);
      return NULL;
    }
  if (!read_raw (self, self->raw, error))
    return NULL;
  if (self->raw->len >= 2 && self->raw->data[0] == 0x1f && self->raw->data[1] == 0x8b)
    self->unpacker = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  else
    {
      g_byte_array_append (self->text, self->raw->data, self->raw->len);
      g_byte_array_set_size (self->raw, 0);
    }
  return g_steal_pointer (&self);
}
