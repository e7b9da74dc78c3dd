/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-tests.h"

/* One sample whose program and whose tests run in two sandboxes, so that the program cannot reach
 * what judges it. What the tests call is sent to the program as its standard input, and it answers
 * among its output, see data/guest/called.py.
 *
 * Signal "done": both have ended; emitted once. */
#define FH_TYPE_BATCH_SPLIT (fh_batch_split_get_type ())
G_DECLARE_FINAL_TYPE (FhBatchSplit, fh_batch_split, FH, BATCH_SPLIT, GObject)

/* Starts it: the program by `executor`, the tests in `tests`. The sample is borrowed, has tests
 * (FhBatchSample::test), and is told how they ended. */
FhBatchSplit *fh_batch_split_new (FhExecutor *executor, FhBatchTests *tests, FhBatchSample *sample);

gboolean fh_batch_split_is_done (FhBatchSplit *self);

/* The run of the program. */
FhRun *fh_batch_split_get_run (FhBatchSplit *self);

/* Returns the result of both, when it is done: the program's result, with what the tests found.
 * NULL if it has to run once more: with its tests, which the sample says why, or with each call in
 * its turn (tests.py). */
FhRunResult *fh_batch_split_get_result (FhBatchSplit *self);

/* The interpreter of the tests has ended, for instance because someone has killed it; not because
 * their time was over. */
gboolean fh_batch_split_has_lost_tests (FhBatchSplit *self);

/* Stops both, as fh_run_stop does. */
void fh_batch_split_stop (FhBatchSplit *self);
