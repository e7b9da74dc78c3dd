/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"
#include "wire-event.h"

G_BEGIN_DECLS

/* Between the words of the wire and those of the model. Pure. */

/* NULL when the payload of a FH_FRAME_GUARDS makes no sense. `shown`: what of the user's the policy
 * asked to be shown, nullable. (transfer full) */
GPtrArray *fh_guard_states_from_wire (const void *payload, gsize size, const char *const *shown);

/* Of those guards that a runner tells of somebody else may have a part, too: what he has is put
 * before the runner's own; NULL where he has none. By FhGuard, FH_N_LAYERS of them. */
#define FH_N_LAYERS (FH_GUARD_ENVIRONMENT + 1)
void fh_guard_states_add_layers (GPtrArray *guards, char *const *layers);

/* NULL when the payload of a FH_FRAME_ATTEMPT makes no sense; else `id` is its number. (transfer
 * full) */
FhAttempt *fh_attempt_from_wire (const void *payload, gsize size, guint32 *id);

/* `limits` are those in force; `step` stays owned by `finished`. */
FhRunOutcome fh_outcome_from_wire (const struct fh_finished *finished, const FhRunLimits *limits);

/* An end that no program had anything to do with. `message` is a sentence for people. */
FhRunOutcome fh_outcome_of_ours (FhRunStatus status, const char *step, const char *message);

G_END_DECLS
