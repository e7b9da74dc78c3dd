/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-sample.h"
#include "executor.h"

/* An interpreter in a sandbox, in which the tests of one sample after the other run, away from the
 * programs that they test; see data/guest/tests.py. It is started with the first one, and again
 * after one that has ended it.
 *
 * Signals:
 *   call (const char *line): the tests call the program, by a line for data/guest/called.py, and
 *     wait for its answer. Without a line they wait for more answers to calls that were sent
 *     together
 *   done (JsonObject *verdict, FhRunResult *end): the sample's tests have ended. Without a verdict
 *     their interpreter has, and `end` says how; else it is NULL */
#define FH_TYPE_BATCH_TESTS (fh_batch_tests_get_type ())
G_DECLARE_FINAL_TYPE (FhBatchTests, fh_batch_tests, FH, BATCH_TESTS, GObject)

/* `cpu`: see fh_executor_keep_on. */
FhBatchTests *fh_batch_tests_new (FhProbes *probes, int cpu);

/* One sample at a time. It is borrowed until "done". */
void fh_batch_tests_begin (FhBatchTests *self, FhBatchSample *sample);

/* Takes lines that the program has answered off `lines` (element-type utf8), as many as can be sent
 * together. Does nothing if no call waits. */
void fh_batch_tests_answer (FhBatchTests *self, GQueue *lines);

/* There is no answer: `why` is "gone" if the program has ended, or says why the tests cannot run
 * like this. Does nothing if no call waits. */
void fh_batch_tests_refuse (FhBatchTests *self, const char *why);

/* Ends the interpreter with the tests that run. */
void fh_batch_tests_stop (FhBatchTests *self);

/* Ends everything; see fh_executor_close_async. Without a callback nothing is told any more. */
void
fh_batch_tests_close_async (FhBatchTests *self, GAsyncReadyCallback callback, gpointer user_data);
