/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"
#include "wire-event.h"

/* Translates between the wire's values and the model's. Pure. */

/* NULL when the payload of a FH_FRAME_GUARDS is invalid. `shown`: the user's folders that the
 * policy shows, nullable. (transfer full) */
GPtrArray *fh_guard_states_from_wire (const void *payload, gsize size, const char *const *shown);

/* Puts the engine's layers of each guard before the runner's; NULL for none. By FhGuard,
 * FH_N_LAYERS of them. */
#define FH_N_LAYERS (FH_GUARD_ENVIRONMENT + 1)
void fh_guard_states_add_layers (GPtrArray *guards, char *const *layers);

/* NULL when the payload of a FH_FRAME_ATTEMPT is invalid; else `id` is its number. (transfer
 * full) */
FhAttempt *fh_attempt_from_wire (const void *payload, gsize size, guint32 *id);

/* `limits` are those in force; `step` stays owned by `finished`. */
FhRunOutcome fh_outcome_from_wire (const struct fh_finished *finished, const FhRunLimits *limits);

/* An outcome that the program did not cause. `message` is a sentence for people. */
FhRunOutcome fh_outcome_of_ours (FhRunStatus status, const char *step, const char *message);
