/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-sample.h"
#include "executor.h"

/* The next sample; NULL when there is none left, or with an error that ends the batch. (transfer
 * full) */
typedef FhBatchSample *(*FhBatchNextFunc) (gpointer user_data, GError **error);

/* Runs samples, a few at a time, each by an executor of its own. The next one is asked for when
 * there is room for it, so a slow listener slows the batch down instead of filling memory.
 *
 * Signals:
 *   result (FhBatchSample *sample, FhRunResult *result, FhRun *run, FhSandbox *sandbox): what says
 *     something about the sample; `run` is that of its program
 *   not-run (FhBatchSample *sample, FhRunResult *result): this sample could not be run
 *   done: all runs have ended, and nothing more will happen; in a later turn of the main loop */
#define FH_TYPE_BATCH (fh_batch_get_type ())
G_DECLARE_FINAL_TYPE (FhBatch, fh_batch, FH, BATCH, GObject)

/* `probes`: NULL for its own. `jobs`: how many run at a time. */
FhBatch *fh_batch_new (FhProbes *probes, guint jobs, FhBatchNextFunc next, gpointer user_data);

/* Samples like `like` are copies of warm interpreters, one for each job: see fh_sandbox_keep_warm.
 * All others start their own. To be called before fh_batch_start. */
void fh_batch_keep_warm (FhBatch *self, FhRunRequest *like, const char *const *modules);

/* Each sample runs so often, and has one result: that of the first run that did not pass, else of
 * the last one. To be called before fh_batch_start. */
void fh_batch_set_times (FhBatch *self, guint times);

void fh_batch_start (FhBatch *self);

/* Takes no more samples and stops those that run: the first call interrupts them, the second kills
 * them. They have no result. */
void fh_batch_stop (FhBatch *self);

gboolean fh_batch_is_done (FhBatch *self);

/* Why the batch ended early: of the input, or that no sample could be run. NULL: it did not. */
const GError *fh_batch_get_error (FhBatch *self);
