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
/* Of what it tried: what guards saw, what the interpreter reported, and how many the guards did not
 * tell of one by one. See attempt-recorder.h. */
void fh_run_add_attempt (FhRun *self, FhAttempt *attempt);
void fh_run_add_reported_attempt (FhRun *self, const FhAttemptFacts *facts);
void fh_run_set_attempts_dropped (FhRun *self, guint64 count);
void fh_run_set_usage (FhRun *self, const FhRunUsage *usage);
/* Builds the result and ends the run; later calls do nothing, because the first cause wins. */
void fh_run_finish (FhRun *self, const FhRunOutcome *outcome);

G_END_DECLS
