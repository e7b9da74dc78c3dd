/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "guard-state.h"
#include "output-log.h"
#include "run-status.h"

G_BEGIN_DECLS

/* How one run ended and what came of it. Immutable. */
#define FH_TYPE_RUN_RESULT (fh_run_result_get_type ())
G_DECLARE_FINAL_TYPE (FhRunResult, fh_run_result, FH, RUN_RESULT, GObject)

/* Copies `outcome` with its strings, freezes `output`, references the rest.
 * `started_at`: when, UTC. `guards`: (element-type FhGuardState), nullable: nothing was set up.
 * `backend` and `tier`: machine words such as "native" and "A". */
FhRunResult *fh_run_result_new (const FhRunOutcome *outcome,
                                FhOutputLog *output,
                                GPtrArray *guards,
                                GDateTime *started_at,
                                const char *backend,
                                const char *tier);

const FhRunOutcome *fh_run_result_get_outcome (FhRunResult *self);
FhRunStatus fh_run_result_get_status (FhRunResult *self);
FhOutputLog *fh_run_result_get_output (FhRunResult *self);
GPtrArray *fh_run_result_get_guards (FhRunResult *self); /* never NULL, may be empty */
GDateTime *fh_run_result_get_started_at (FhRunResult *self);
const char *fh_run_result_get_backend (FhRunResult *self);
const char *fh_run_result_get_tier (FhRunResult *self); /* "" when nothing was set up */
const char *fh_run_result_get_sentence (FhRunResult *self);

G_END_DECLS
