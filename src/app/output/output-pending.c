/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-pending.h"

/* Small writes of one stream are put together up to this size. */
#define PIECE_SIZE ((gsize) 32 << 10)

typedef struct
{
  FhStream stream;
  GByteArray *data;
  gsize taken; /* from the front of `data` */
  guint64 skipped;
} Piece;

/* Invariant: `live_size` is the sum of what is left in `live`; `logged` comes before all of it. */
struct _FhOutputPending
{
  guint streams;
  GQueue logged;
  GQueue live;
  gsize live_size;
  guint64 seen[FH_STREAM_STDERR + 1]; /* bytes of each stream, shown, waiting or given up */
  guint64 skipped;
  guint64 gap; /* given up, and not yet told with a piece */
};

static Piece *
piece_new (FhStream stream, guint64 skipped)
{
  Piece *piece = g_new0 (Piece, 1);

  piece->stream = stream;
  piece->data = g_byte_array_new ();
  piece->skipped = skipped;
  return piece;
}

static void
piece_free (Piece *piece)
{
  g_byte_array_unref (piece->data);
  g_free (piece);
}

static gsize
piece_left (const Piece *piece)
{
  return piece->data->len - piece->taken;
}

static void
append (GQueue *queue, FhStream stream, const guint8 *data, gsize size, guint64 skipped)
{
  Piece *last = g_queue_peek_tail (queue);

  while (size > 0)
    {
      gsize part;

      if (last == NULL || last->stream != stream || skipped > 0 || last->data->len >= PIECE_SIZE)
        {
          last = piece_new (stream, skipped);
          g_queue_push_tail (queue, last);
          skipped = 0;
        }
      part = MIN (size, PIECE_SIZE - last->data->len);
      g_byte_array_append (last->data, data, (guint) part);
      data += part;
      size -= part;
    }
}

static void
give_up_oldest (FhOutputPending *self)
{
  while (self->live_size > FH_OUTPUT_PENDING_MAX ||
         self->live.length > FH_OUTPUT_PENDING_MAX_PIECES)
    {
      Piece *piece = g_queue_pop_head (&self->live);
      Piece *next = g_queue_peek_head (&self->live);
      guint64 lost = piece_left (piece);

      self->live_size -= lost;
      self->skipped += lost;
      if (next != NULL)
        next->skipped += lost + piece->skipped;
      else
        self->gap += lost + piece->skipped;
      piece_free (piece);
    }
}

FhOutputPending *
fh_output_pending_new (guint streams)
{
  FhOutputPending *self = g_new0 (FhOutputPending, 1);

  self->streams = streams;
  g_queue_init (&self->logged);
  g_queue_init (&self->live);
  return self;
}

void
fh_output_pending_clear (FhOutputPending *self)
{
  g_return_if_fail (self != NULL);

  g_queue_clear_full (&self->logged, (GDestroyNotify) piece_free);
  g_queue_clear_full (&self->live, (GDestroyNotify) piece_free);
  self->live_size = 0;
  self->skipped = 0;
  self->gap = 0;
  memset (self->seen, 0, sizeof self->seen);
}

void
fh_output_pending_free (FhOutputPending *self)
{
  fh_output_pending_clear (self);
  g_free (self);
}

void
fh_output_pending_push (FhOutputPending *self, FhStream stream, const void *data, gsize size)
{
  const guint8 *bytes = data;
  guint64 lost = 0;

  g_return_if_fail (self != NULL);
  g_return_if_fail (data != NULL || size == 0);

  if (!(self->streams & stream) || size == 0)
    return;
  self->seen[stream] += size;
  if (size > FH_OUTPUT_PENDING_MAX)
    {
      lost = size - FH_OUTPUT_PENDING_MAX;
      bytes += lost;
      size = FH_OUTPUT_PENDING_MAX;
      self->skipped += lost;
    }
  append (&self->live, stream, bytes, size, lost + self->gap);
  self->gap = 0;
  self->live_size += size;
  give_up_oldest (self);
}

typedef struct
{
  FhOutputPending *self;
  guint64 offset[FH_STREAM_STDERR + 1];
} CatchUp;

static void
catch_up_cb (const FhOutputPiece *piece, gpointer user_data)
{
  CatchUp *catch_up = user_data;
  FhOutputPending *self = catch_up->self;
  guint64 *offset = &catch_up->offset[piece->stream];
  guint64 *seen = &self->seen[piece->stream];
  guint64 skipped = 0;
  gsize known = 0;

  if (!(self->streams & piece->stream))
    return;
  *offset += piece->skipped;
  if (*offset > *seen)
    {
      skipped = *offset - *seen;
      self->skipped += skipped;
    }
  else
    known = MIN (*seen - *offset, piece->size);
  append (&self->logged, piece->stream, piece->data + known, piece->size - known, skipped);
  *offset += piece->size;
  *seen = MAX (*seen, *offset);
}

void
fh_output_pending_catch_up (FhOutputPending *self, FhOutputLog *log)
{
  CatchUp catch_up = { .self = self };

  g_return_if_fail (self != NULL);
  g_return_if_fail (FH_IS_OUTPUT_LOG (log));

  /* What waits is younger than anything that was shown and older than what is still unseen. */
  for (Piece *piece; (piece = g_queue_pop_head (&self->live)) != NULL;)
    g_queue_push_tail (&self->logged, piece);
  self->live_size = 0;
  fh_output_log_foreach (log, catch_up_cb, &catch_up);
}

void
fh_output_pending_forget (FhOutputPending *self, FhOutputLog *log)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (FH_IS_OUTPUT_LOG (log));

  fh_output_pending_clear (self);
  for (guint stream = FH_STREAM_STDOUT; stream <= FH_STREAM_STDERR; stream++)
    self->seen[stream] = fh_output_log_get_total (log, stream);
}

gboolean
fh_output_pending_is_empty (FhOutputPending *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return g_queue_is_empty (&self->logged) && g_queue_is_empty (&self->live);
}

gboolean
fh_output_pending_is_behind (FhOutputPending *self, FhOutputLog *log)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (FH_IS_OUTPUT_LOG (log), FALSE);

  for (guint stream = FH_STREAM_STDOUT; stream <= FH_STREAM_STDERR; stream++)
    if ((self->streams & stream) && fh_output_log_get_total (log, stream) > self->seen[stream])
      return TRUE;
  return FALSE;
}

guint64
fh_output_pending_get_skipped (FhOutputPending *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->skipped;
}

void
fh_output_chunk_clear (FhOutputChunk *chunk)
{
  g_clear_pointer (&chunk->bytes, g_bytes_unref);
}

gboolean
fh_output_pending_take (FhOutputPending *self, gsize max, FhOutputChunk *chunk)
{
  GQueue *queue;
  Piece *piece;
  gsize size;

  g_return_val_if_fail (self != NULL && max > 0, FALSE);
  g_return_val_if_fail (chunk != NULL, FALSE);

  queue = g_queue_is_empty (&self->logged) ? &self->live : &self->logged;
  piece = g_queue_peek_head (queue);
  if (piece == NULL)
    return FALSE;
  size = MIN (max, piece_left (piece));
  chunk->stream = piece->stream;
  chunk->bytes = g_bytes_new (piece->data->data + piece->taken, size);
  chunk->skipped = piece->skipped;
  chunk->from_log = queue == &self->logged;
  piece->taken += size;
  piece->skipped = 0;
  if (queue == &self->live)
    self->live_size -= size;
  if (piece_left (piece) == 0)
    piece_free (g_queue_pop_head (queue));
  return TRUE;
}
