/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt-log.h"
#include "run.h"

/* The other side of FhRun, for backends only, which create a run and report to it. */

FhRun *fh_run_new (FhRunRequest *request, const char *backend);
void fh_run_take_guards (FhRun *self, GPtrArray *guards, const char *tier);
void fh_run_started (FhRun *self);
void fh_run_set_forked (FhRun *self);
/* Copies the bytes into the log, then emits "output" with the borrowed bytes. */
void
fh_run_add_output (FhRun *self, FhStream stream, guint64 time_us, const void *data, gsize size);
/* Attempts: seen by guards, reported by the interpreter, and the number of those not reported one
 * by one. See below. */
void fh_run_add_attempt (FhRun *self, FhAttempt *attempt);
/* Takes the place of `old`, with its line, if that was added. */
void fh_run_replace_attempt (FhRun *self, FhAttempt *old, FhAttempt *attempt);
void fh_run_add_reported_attempt (FhRun *self, const FhAttemptFacts *facts);
/* A cell's call, and its answer. */
void fh_run_call (FhRun *self, GBytes *json);
void fh_run_set_answer (FhRun *self, GBytes *json);
/* `sentence` is static, nullable. */
void fh_run_set_earlier_end (FhRun *self, const char *sentence);
/* What the program changed in its copy of a project folder; before the end. */
void fh_run_set_changes (FhRun *self, FhFolderChanges *changes);
void fh_run_set_attempts_dropped (FhRun *self, guint64 count);
void fh_run_set_usage (FhRun *self, const FhRunUsage *usage);
/* Builds the result and ends the run; later calls do nothing, because the first cause wins. */
void fh_run_finish (FhRun *self, const FhRunOutcome *outcome);
/* Finishes a run that cannot be started, from the main loop, so that its listeners can be connected
 * first. */
void fh_run_finish_early (FhRun *self, FhRunStatus status, const char *step, const char *message);

/* Merges the two sources of attempts: guards, which saw them, and the program's own interpreter,
 * which reports them with the source line. One attempt is one row, whichever came first; what a
 * guard saw is always kept. */
typedef struct _FhAttemptRecorder FhAttemptRecorder;

FhAttemptRecorder *fh_attempt_recorder_new (void);
void fh_attempt_recorder_free (FhAttemptRecorder *self);

FhAttemptLog *fh_attempt_recorder_get_log (FhAttemptRecorder *self); /* (transfer none) */

/* Adds what a guard saw. It replaces a report of the same attempt and takes over its line. FALSE
 * when the log is full. */
gboolean fh_attempt_recorder_add (FhAttemptRecorder *self, FhAttempt *attempt);

/* Adds what the interpreter reported: a hint, never evidence, and limited in number. If a guard saw
 * the same attempt, only its line is used; a repeated report is counted. A report without an
 * operation only gives the line that names the object. */
void fh_attempt_recorder_report (FhAttemptRecorder *self, const FhAttemptFacts *facts);

/* How many the guards counted without reporting them one by one. */
void fh_attempt_recorder_set_dropped (FhAttemptRecorder *self, guint64 count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhAttemptRecorder, fh_attempt_recorder_free)
