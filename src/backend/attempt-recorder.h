/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "attempt-log.h"

G_BEGIN_DECLS

/* Puts together what a run tried from the two that tell of it: guards, which saw it, and the
 * program's own interpreter, which reports it with the line of the source. Of one act there is one
 * row, whoever told first; what a guard saw always stays. */
typedef struct _FhAttemptRecorder FhAttemptRecorder;

FhAttemptRecorder *fh_attempt_recorder_new (void);
void fh_attempt_recorder_free (FhAttemptRecorder *self);

FhAttemptLog *fh_attempt_recorder_get_log (FhAttemptRecorder *self); /* (transfer none) */

/* What a guard saw. Takes the place, and the line, of a report of the same act. FALSE when there is
 * no room for it. */
gboolean fh_attempt_recorder_add (FhAttemptRecorder *self, FhAttempt *attempt);

/* What the interpreter told: hints, never evidence, and not as many as guards may see. Gives its
 * line to what a guard saw of the same act and is not shown beside it; told again, it is counted.
 * One without an operation only says on which line the object was named. Returns the new row, or
 * NULL when there is none. (transfer none) */
FhAttempt *fh_attempt_recorder_report (FhAttemptRecorder *self, const FhAttemptFacts *facts);

/* How many the guards did not tell of one by one. */
void fh_attempt_recorder_set_dropped (FhAttemptRecorder *self, guint64 count);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhAttemptRecorder, fh_attempt_recorder_free)

G_END_DECLS
