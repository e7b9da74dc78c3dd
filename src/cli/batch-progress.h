/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* How far a batch is, on standard error: one line that changes on a terminal, else a line now and
 * then. */
typedef struct _FhBatchProgress FhBatchProgress;

/* `total`: how many samples are to be run. */
FhBatchProgress *fh_batch_progress_new (guint64 total);
void fh_batch_progress_free (FhBatchProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchProgress, fh_batch_progress_free)

void fh_batch_progress_add (FhBatchProgress *progress, gboolean is_passed);

guint64 fh_batch_progress_get_done (FhBatchProgress *progress);

/* The last line: what was done, and in what time. */
void fh_batch_progress_finish (FhBatchProgress *progress);

/* "[#####.....] 82 of 164, 80 passed, 41.0/s, 2 s left" (transfer full) */
char *
fh_batch_progress_describe (guint64 done, guint64 passed, guint64 total, gint64 us, gboolean bar);
