/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

/* A program may write faster than the view can show it. At most this many bytes and pieces of a
 * live run wait; the oldest are given up. */
#define FH_OUTPUT_PENDING_MAX        ((gsize) 256 << 10)
#define FH_OUTPUT_PENDING_MAX_PIECES 16384

/* The stretches of a run's log that a pane has still to show, in order of arrival. It copies
 * nothing. It counts how much of each stream was seen, so that a pane that was hidden can catch up.
 */
typedef struct _FhOutputPending FhOutputPending;

/* `streams`: FH_STREAM_STDOUT, FH_STREAM_STDERR or both, or'ed. Others are ignored. */
FhOutputPending *fh_output_pending_new (guint streams);
void fh_output_pending_free (FhOutputPending *self);

/* Starts over with another log (nullable); nothing of it was seen. */
void fh_output_pending_set_log (FhOutputPending *self, FhOutputLog *log);

/* A live run has just added `size` bytes to the log, and all before them was seen. */
void fh_output_pending_push (FhOutputPending *self, FhStream stream, gsize size);

/* Adds everything in the log that was not seen yet. Not limited, because the log is. */
void fh_output_pending_catch_up (FhOutputPending *self);

/* Drops what waits, and regards all that the log has now as seen. */
void fh_output_pending_forget (FhOutputPending *self);

gboolean fh_output_pending_is_empty (FhOutputPending *self);
/* Whether the log had bytes that were not seen. */
gboolean fh_output_pending_is_behind (FhOutputPending *self);
/* How many bytes were given up. */
guint64 fh_output_pending_get_skipped (FhOutputPending *self);

/* Takes at most `max` bytes of one stream, the oldest first; FALSE if nothing waits. The data is
 * the log's and valid until the log grows; `skipped` bytes before it were given up. If `from_log`,
 * the log does not have them either; else they were only passed over. `time_us` is not set. */
gboolean
fh_output_pending_take (FhOutputPending *self, gsize max, FhOutputPiece *chunk, gboolean *from_log);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOutputPending, fh_output_pending_free)
