/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-sample.h"
#include "batch-score.h"
#include "run-result.h"

/* The entry of the history for a whole batch. Its source is the command, its output a table with a
 * row for each sample: result, time, memory, attempts and id, between tabs. The first samples, up
 * to limits of number and size, are kept as runs that belong to it. */
typedef struct _FhBatchRecord FhBatchRecord;

FhBatchRecord *fh_batch_record_new (const char *const *files, const FhRunOptions *options);
void fh_batch_record_free (FhBatchRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchRecord, fh_batch_record_free)

void fh_batch_record_add (FhBatchRecord *record, const FhBatchSample *sample, FhRunResult *result);

/* Adds it to the history. A failure is told by a message. */
void fh_batch_record_save (FhBatchRecord *record, const FhBatchScore *score, gboolean is_stopped);
