/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-pending.h"

#include <string.h>

/* A stretch of the log. `skipped`: bytes given up right before it. */
typedef struct
{
  FhStream stream;
  guint64 start; /* from the beginning of the stream */
  gsize size;
  guint64 skipped;
} Piece;

/* Invariant: `live_size` is the sum of the sizes in `live`; `logged` comes before all of it. */
struct _FhOutputPending
{
  guint streams;
  FhOutputLog *log; /* nullable */
  GQueue logged;
  GQueue live;
  gsize live_size;
  guint64 seen[FH_STREAM_STDERR + 1]; /* bytes of each stream: shown, waiting or given up */
  guint64 skipped;
  guint64 gap; /* given up, and no piece follows yet */
};

static void
append (GQueue *queue, FhStream stream, guint64 start, gsize size, guint64 skipped)
{
  Piece *last = g_queue_peek_tail (queue);

  if (size == 0)
    return;
  if (last != NULL && last->stream == stream && last->start + last->size == start && skipped == 0)
    {
      last->size += size;
      return;
    }
  last = g_new (Piece, 1);
  *last = (Piece){ stream, start, size, skipped };
  g_queue_push_tail (queue, last);
}

/* Gives up the first `lost` bytes of the queue's oldest piece. */
static void
give_up (FhOutputPending *self, GQueue *queue, gsize lost)
{
  Piece *piece = g_queue_peek_head (queue);
  Piece *next;

  self->skipped += lost;
  piece->start += lost;
  piece->size -= lost;
  piece->skipped += lost;
  if (piece->size > 0)
    return;
  g_queue_pop_head (queue);
  next = g_queue_peek_head (queue);
  if (next == NULL && queue == &self->logged)
    next = g_queue_peek_head (&self->live);
  if (next != NULL)
    next->skipped += piece->skipped;
  else
    self->gap += piece->skipped;
  g_free (piece);
}

static void
give_up_oldest (FhOutputPending *self)
{
  while (self->live_size > FH_OUTPUT_PENDING_MAX ||
         self->live.length > FH_OUTPUT_PENDING_MAX_PIECES)
    {
      Piece *piece = g_queue_peek_head (&self->live);
      gsize lost = piece->size;

      if (self->live.length <= FH_OUTPUT_PENDING_MAX_PIECES)
        lost = MIN (lost, self->live_size - FH_OUTPUT_PENDING_MAX);
      self->live_size -= lost;
      give_up (self, &self->live, lost);
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
fh_output_pending_set_log (FhOutputPending *self, FhOutputLog *log)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (log == NULL || FH_IS_OUTPUT_LOG (log));

  g_set_object (&self->log, log);
  g_queue_clear_full (&self->logged, g_free);
  g_queue_clear_full (&self->live, g_free);
  self->live_size = 0;
  self->skipped = 0;
  self->gap = 0;
  memset (self->seen, 0, sizeof self->seen);
}

void
fh_output_pending_free (FhOutputPending *self)
{
  fh_output_pending_set_log (self, NULL);
  g_free (self);
}

void
fh_output_pending_push (FhOutputPending *self, FhStream stream, gsize size)
{
  g_return_if_fail (self != NULL);

  if (!(self->streams & stream) || size == 0)
    return;
  append (&self->live, stream, self->seen[stream], size, self->gap);
  self->seen[stream] += size;
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
  append (&self->logged, piece->stream, *offset + known, piece->size - known, skipped);
  *offset += piece->size;
  *seen = MAX (*seen, *offset);
}

void
fh_output_pending_catch_up (FhOutputPending *self)
{
  CatchUp catch_up = { .self = self };

  g_return_if_fail (self != NULL && self->log != NULL);

  /* Pending pieces are older than those that were not seen. */
  for (Piece *piece; (piece = g_queue_pop_head (&self->live)) != NULL;)
    g_queue_push_tail (&self->logged, piece);
  self->live_size = 0;
  fh_output_log_foreach (self->log, catch_up_cb, &catch_up);
}

void
fh_output_pending_forget (FhOutputPending *self)
{
  g_return_if_fail (self != NULL && self->log != NULL);

  fh_output_pending_set_log (self, self->log);
  for (guint stream = FH_STREAM_STDOUT; stream <= FH_STREAM_STDERR; stream++)
    self->seen[stream] = fh_output_log_get_total (self->log, stream);
}

gboolean
fh_output_pending_is_empty (FhOutputPending *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return g_queue_is_empty (&self->logged) && g_queue_is_empty (&self->live);
}

gboolean
fh_output_pending_is_behind (FhOutputPending *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  for (guint stream = FH_STREAM_STDOUT; self->log != NULL && stream <= FH_STREAM_STDERR; stream++)
    if ((self->streams & stream) &&
        fh_output_log_get_total (self->log, stream) > self->seen[stream])
      return TRUE;
  return FALSE;
}

guint64
fh_output_pending_get_skipped (FhOutputPending *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->skipped;
}

gboolean
fh_output_pending_take (FhOutputPending *self, gsize max, FhOutputPiece *chunk, gboolean *from_log)
{
  g_return_val_if_fail (self != NULL && max > 0, FALSE);
  g_return_val_if_fail (chunk != NULL && from_log != NULL, FALSE);

  for (;;)
    {
      GQueue *queue = g_queue_is_empty (&self->logged) ? &self->live : &self->logged;
      Piece *piece = g_queue_peek_head (queue);
      gsize size;

      if (piece == NULL)
        return FALSE;
      chunk->data = fh_output_log_peek (self->log, piece->stream, piece->start, &size);
      size = size > 0 ? MIN (size, piece->size) : piece->size;
      if (queue == &self->live)
        self->live_size -= chunk->data != NULL ? MIN (size, max) : size;
      if (chunk->data == NULL)
        {
          give_up (self, queue, size);
          continue;
        }
      chunk->stream = piece->stream;
      chunk->size = MIN (size, max);
      chunk->skipped = piece->skipped;
      *from_log = queue == &self->logged;
      piece->start += chunk->size;
      piece->size -= chunk->size;
      piece->skipped = 0;
      if (piece->size == 0)
        g_free (g_queue_pop_head (queue));
      return TRUE;
    }
}
