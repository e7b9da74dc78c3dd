/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output-log.h"

/* The internals of an output log, only for output-log.c and output-log-bytes.c. */

/* Bytes of one part that arrived at one time. */
typedef struct
{
  guint64 serial; /* orders the stretches of both streams */
  guint64 time_us;
  guint32 size;
} FhStretch;

/* The head or the tail of one stream. Bytes before `start` and stretches before `first` were
 * dropped; the sizes of the others add up to the bytes from `start` on. */
typedef struct
{
  GByteArray *bytes;
  gsize start;
  GArray *stretches; /* of FhStretch */
  guint first;
} FhPart;

enum
{
  FH_PART_HEAD,
  FH_PART_TAIL,
  FH_N_PARTS,
};

typedef struct
{
  FhPart parts[FH_N_PARTS];
  guint64 total;
} FhStreamLog;

struct _FhOutputLog
{
  GObject parent_instance;
  FhStreamLog streams[2];
  guint64 serial; /* of the newest stretch */
  gboolean frozen;
  gboolean cut_cleanly; /* the cut is already between characters: read from a serialized log */
};

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

/* Appends without counting. */
void fh_output_log_append_to_part (FhOutputLog *self,
                                   FhStream stream,
                                   guint part,
                                   guint64 time_us,
                                   const void *data,
                                   gsize size);

/* Fills one stream of an empty log, which is then final, with what was kept of it. FALSE when that
 * is more than a log keeps, or does not add up to `total`. */
gboolean fh_output_log_restore_stream (FhOutputLog *self,
                                       FhStream stream,
                                       GBytes *head,
                                       GBytes *tail,
                                       guint64 total);
