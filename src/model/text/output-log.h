/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

typedef enum
{
  FH_STREAM_STDOUT = 1,
  FH_STREAM_STDERR = 2,
} FhStream;

/* The first FH_OUTPUT_LOG_HEAD and the newest FH_OUTPUT_LOG_TAIL bytes of each stream are kept. */
#define FH_OUTPUT_LOG_HEAD ((gsize) 256 << 10)
#define FH_OUTPUT_LOG_TAIL ((gsize) 768 << 10)

/* A program's output, in order of arrival, in bounded memory. It grows during the run and is frozen
 * in the result. The bytes are unchanged and may be anything. */
#define FH_TYPE_OUTPUT_LOG (fh_output_log_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputLog, fh_output_log, FH, OUTPUT_LOG, GObject)

/* A stretch of one stream. `skipped` bytes of that stream were dropped right before it. */
typedef struct
{
  FhStream stream;
  guint64 time_us; /* since the program was started */
  const guint8 *data;
  gsize size;
  guint64 skipped;
} FhOutputPiece;

typedef void (*FhOutputPieceFunc) (const FhOutputPiece *piece, gpointer user_data);

FhOutputLog *fh_output_log_new (void);
/* Ignored after fh_output_log_freeze. */
void fh_output_log_append (FhOutputLog *self,
                           FhStream stream,
                           guint64 time_us,
                           const void *data,
                           gsize size);
void fh_output_log_freeze (FhOutputLog *self);

/* All bytes the stream had, kept or not. */
guint64 fh_output_log_get_total (FhOutputLog *self, FhStream stream);
guint64 fh_output_log_get_kept (FhOutputLog *self, FhStream stream);

/* Everything kept of both streams, in order of arrival. */
void fh_output_log_foreach (FhOutputLog *self, FhOutputPieceFunc func, gpointer user_data);

/* The bytes of a stream from `offset` on: sets `size` to how many of them follow in one piece,
 * which is valid until the next append. NULL if they were dropped; `size` is then their number. */
const guint8 *fh_output_log_peek (FhOutputLog *self, FhStream stream, guint64 offset, gsize *size);

/* Returns the bytes that were kept of one stream, unchanged; a line "[… 1 234 567 bytes left out
 * …]" stands where something was dropped, never inside a UTF-8 sequence. */
GBytes *fh_output_log_dup_bytes (FhOutputLog *self, FhStream stream);

/* The same as valid UTF-8 without NUL: what is invalid becomes U+FFFD, NUL becomes U+2400. */
char *fh_output_log_dup_text (FhOutputLog *self, FhStream stream);

/* One byte string with everything kept, for the history's database; and back. */
GBytes *fh_output_log_serialize (FhOutputLog *self);
/* NULL with FH_RUN_ERROR_INVALID when damaged. The result is frozen. */
FhOutputLog *fh_output_log_deserialize (GBytes *bytes, GError **error);
/* What it has now, for another thread. Frozen. (transfer full) */
FhOutputLog *fh_output_log_copy (FhOutputLog *self);

/* The kept part of one stream: both ends, cut between characters, and the size of the gap. Borrowed
 * until the next append. */
typedef struct
{
  const guint8 *head;
  gsize head_size;
  const guint8 *tail;
  gsize tail_size;
  guint64 skipped;
} FhStreamView;

FhStreamView fh_output_log_view (FhOutputLog *self, FhStream stream);

/* Fills one stream of an empty log, which is then final, with what was kept of it. FALSE when that
 * is more than a log keeps, or does not add up to `total`. */
gboolean fh_output_log_restore_stream (FhOutputLog *self,
                                       FhStream stream,
                                       GBytes *head,
                                       GBytes *tail,
                                       guint64 total);
