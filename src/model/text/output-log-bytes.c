/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-log.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "output-log-private.h"
#include "run-error.h"

/*
 * An output log as one byte string, all integers little-endian:
 *
 *   "FHOL" · u32 version · u64 total of stdout · u64 total of stderr · pieces
 *   piece: u8 stream · u64 time · u64 skipped · u32 size · bytes
 *
 * The database may be damaged, so every size is checked before it is used, and the parts must add
 * up to the totals.
 */
#define MAGIC       "FHOL"
#define VERSION     1
#define HEADER_SIZE 24
#define PIECE_SIZE  21

static void
put_u32 (GByteArray *bytes, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_u64 (GByteArray *bytes, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_piece (const FhOutputPiece *piece, gpointer user_data)
{
  GByteArray *bytes = user_data;
  guint8 stream = (guint8) piece->stream;

  g_byte_array_append (bytes, &stream, 1);
  put_u64 (bytes, piece->time_us);
  put_u64 (bytes, piece->skipped);
  put_u32 (bytes, (guint32) piece->size);
  g_byte_array_append (bytes, piece->data, (guint) piece->size);
}

GBytes *
fh_output_log_serialize (FhOutputLog *self)
{
  GByteArray *bytes;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), NULL);

  bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *) MAGIC, 4);
  put_u32 (bytes, VERSION);
  put_u64 (bytes, self->streams[0].total);
  put_u64 (bytes, self->streams[1].total);
  fh_output_log_foreach (self, put_piece, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

static guint32
get_u32 (const guint8 *data)
{
  guint32 value;

  memcpy (&value, data, sizeof value);
  return GUINT32_FROM_LE (value);
}

static guint64
get_u64 (const guint8 *data)
{
  guint64 value;

  memcpy (&value, data, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gsize
part_size (FhOutputLog *self, FhStream stream, guint part)
{
  return self->streams[stream - FH_STREAM_STDOUT].parts[part].bytes->len;
}

/* Adds the bytes of a piece to the head until it is full or something was left out, then to the
 * tail. FALSE if that is more than a log keeps. */
static gboolean
restore_piece (FhOutputLog *self, const FhOutputPiece *piece, gboolean after_gap)
{
  gsize tail = part_size (self, piece->stream, FH_PART_TAIL);
  gsize room = 0;
  gsize head;

  if (piece->size == 0)
    return TRUE;
  if (!after_gap && tail == 0)
    room = FH_OUTPUT_LOG_HEAD - part_size (self, piece->stream, FH_PART_HEAD);
  head = MIN (piece->size, room);
  if (piece->size - head > FH_OUTPUT_LOG_TAIL - tail)
    return FALSE;
  /* Keeps the pieces apart: without this gap in the order the log would join neighbors. */
  self->serial++;
  fh_output_log_append_to_part (self,
                                piece->stream,
                                FH_PART_HEAD,
                                piece->time_us,
                                piece->data,
                                head);
  fh_output_log_append_to_part (self,
                                piece->stream,
                                FH_PART_TAIL,
                                piece->time_us,
                                piece->data + head,
                                piece->size - head);
  return TRUE;
}

/* Returns the size of the encoded piece; 0 when it is damaged. */
static gsize
get_piece (const guint8 *data, gsize size, FhOutputPiece *piece)
{
  if (size < PIECE_SIZE)
    return 0;
  piece->stream = (FhStream) data[0];
  piece->time_us = get_u64 (data + 1);
  piece->skipped = get_u64 (data + 9);
  piece->size = get_u32 (data + 17);
  piece->data = data + PIECE_SIZE;
  if ((piece->stream != FH_STREAM_STDOUT && piece->stream != FH_STREAM_STDERR) ||
      piece->size == 0 || piece->size > size - PIECE_SIZE)
    return 0;
  return PIECE_SIZE + piece->size;
}

static gboolean
restore (FhOutputLog *self, const guint8 *data, gsize size)
{
  guint64 skipped[2] = { 0, 0 };

  if (size < HEADER_SIZE || memcmp (data, MAGIC, 4) != 0 || get_u32 (data + 4) != VERSION)
    return FALSE;
  for (gsize at = HEADER_SIZE; at < size;)
    {
      FhOutputPiece piece;
      gsize step = get_piece (data + at, size - at, &piece);
      guint index;

      if (step == 0)
        return FALSE;
      index = (guint) piece.stream - FH_STREAM_STDOUT;
      if (piece.skipped > 0)
        {
          if (skipped[index] > 0 || part_size (self, piece.stream, FH_PART_TAIL) > 0)
            return FALSE;
          skipped[index] = piece.skipped;
        }
      if (!restore_piece (self, &piece, skipped[index] > 0))
        return FALSE;
      at += step;
    }
  for (guint i = 0; i < 2; i++)
    {
      FhStream stream = (FhStream) (FH_STREAM_STDOUT + i);
      guint64 kept =
          part_size (self, stream, FH_PART_HEAD) + part_size (self, stream, FH_PART_TAIL);

      self->streams[i].total = get_u64 (data + 8 + 8 * i);
      if (self->streams[i].total < kept || self->streams[i].total - kept != skipped[i])
        return FALSE;
    }
  return TRUE;
}

FhOutputLog *
fh_output_log_deserialize (GBytes *bytes, GError **error)
{
  g_autoptr (FhOutputLog) self = NULL;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (bytes != NULL, NULL);

  self = fh_output_log_new ();
  data = g_bytes_get_data (bytes, &size);
  if (!restore (self, data, size))
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("The output that was kept of this run is damaged."));
      return NULL;
    }
  self->frozen = TRUE;
  self->cut_cleanly = TRUE;
  return g_steal_pointer (&self);
}

gboolean
fh_output_log_restore_stream (FhOutputLog *self,
                              FhStream stream,
                              GBytes *head,
                              GBytes *tail,
                              guint64 total)
{
  FhOutputPiece first = { .stream = stream };
  FhOutputPiece second = { .stream = stream };
  guint64 kept;

  first.data = g_bytes_get_data (head, &first.size);
  second.data = g_bytes_get_data (tail, &second.size);
  kept = (guint64) first.size + second.size;
  if (total < kept || (total > kept && (first.size > FH_OUTPUT_LOG_HEAD || second.size == 0)))
    return FALSE;
  self->streams[stream - FH_STREAM_STDOUT].total = total;
  self->frozen = TRUE;
  self->cut_cleanly = TRUE;
  return restore_piece (self, &first, FALSE) && restore_piece (self, &second, total > kept);
}

FhOutputLog *
fh_output_log_copy (FhOutputLog *self)
{
  g_autoptr (GBytes) bytes = fh_output_log_serialize (self);

  return fh_output_log_deserialize (bytes, NULL);
}
