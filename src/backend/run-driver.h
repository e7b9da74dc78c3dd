/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* The other side of FhRun: for backends only, which make a run and tell it what happens. */

FhRun *fh_run_new (FhRunRequest *request, const char *backend);
void fh_run_take_guards (FhRun *self, GPtrArray *guards, const char *tier);
void fh_run_started (FhRun *self);
void fh_run_add_output (FhRun *self, FhStream stream, guint64 time_us, GBytes *bytes);
void fh_run_add_guest_message (FhRun *self, GBytes *bytes);
/* What a guard saw. Takes the place, and the line, of what the interpreter told of the same act. */
void fh_run_add_attempt (FhRun *self, FhAttempt *attempt);
/* What the program's own interpreter told of itself: hints, never evidence, and not as many as
 * guards may see. Gives its line to what a guard saw of the same act, and is then not shown beside
 * it; told again, it is counted. */
void fh_run_add_reported_attempt (FhRun *self, const FhAttemptFacts *facts);
/* How many the guards did not tell of one by one. */
void fh_run_set_attempts_dropped (FhRun *self, guint64 count);
void fh_run_set_usage (FhRun *self, const FhRunUsage *usage);
/* Builds the result and ends the run; later calls do nothing, because the first cause wins. */
void fh_run_finish (FhRun *self, const FhRunOutcome *outcome);

G_END_DECLS
