/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

G_BEGIN_DECLS

/* A program may write faster than anything can be painted. The newest bytes are worth most, so
 * that no more than this many wait, in at most so many pieces; older ones are given up. */
#define FH_OUTPUT_PENDING_MAX        ((gsize) 256 << 10)
#define FH_OUTPUT_PENDING_MAX_PIECES 16384

/* What has arrived for a pane and was not shown yet, in order of arrival. It remembers how much of
 * each stream it has seen, so that a pane that was hidden can catch up from the run's log. */
typedef struct _FhOutputPending FhOutputPending;

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. Others are ignored. */
FhOutputPending *fh_output_pending_new (guint streams);
void fh_output_pending_free (FhOutputPending *self);
void fh_output_pending_clear (FhOutputPending *self);

/* Bytes of a live run. */
void fh_output_pending_push (FhOutputPending *self, FhStream stream, const void *data, gsize size);

/* Everything in the log that was not seen yet; not subject to the limit above, because a log is
 * bounded itself. */
void fh_output_pending_catch_up (FhOutputPending *self, FhOutputLog *log);

/* Empties the queue; what the log holds now will not be caught up. */
void fh_output_pending_forget (FhOutputPending *self, FhOutputLog *log);

gboolean fh_output_pending_is_empty (FhOutputPending *self);
/* Whether the log holds, or once held, more than was seen here. */
gboolean fh_output_pending_is_behind (FhOutputPending *self, FhOutputLog *log);
/* How many bytes were given up on the way. */
guint64 fh_output_pending_get_skipped (FhOutputPending *self);

typedef struct
{
  FhStream stream;
  GBytes *bytes;     /* owned */
  guint64 skipped;   /* so many bytes were given up right before */
  gboolean from_log; /* they are lost for good, not only passed over */
} FhOutputChunk;

void fh_output_chunk_clear (FhOutputChunk *chunk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhOutputChunk, fh_output_chunk_clear)

/* At most `max` bytes of one stream, the oldest first. FALSE when nothing waits. */
gboolean fh_output_pending_take (FhOutputPending *self, gsize max, FhOutputChunk *chunk);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOutputPending, fh_output_pending_free)

G_END_DECLS
