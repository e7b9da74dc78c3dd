/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt-log.h"

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
