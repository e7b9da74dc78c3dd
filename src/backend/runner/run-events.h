/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "order.h"
#include "run-driver.h"

/* Puts what the runner reports while a program runs into the run. The start and the end of the run
 * are handled by FhRunConversation. */
typedef struct _FhRunEvents FhRunEvents;

/* `order`: what its runner was told; borrowed. */
FhRunEvents *fh_run_events_new (FhRun *run, const FhOrder *order);
void fh_run_events_free (FhRunEvents *self);

/* Puts the collected files into the run, after the last frame. */
void fh_run_events_end (FhRunEvents *self);

/* Completes how the run ended with what only its interpreter has told. */
void fh_run_events_refine_outcome (FhRunEvents *self, FhRunOutcome *outcome);

/* FALSE for a frame that is invalid or of another kind. */
gboolean fh_run_events_handle (FhRunEvents *self, const struct fh_frame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunEvents, fh_run_events_free)

/* Adds an attempt that the program's interpreter reported (wire-guest.h, hostile) to `run`. Other
 * and invalid messages are ignored. TRUE if it was stopped at its limit of operations, as it says.
 */
gboolean fh_guest_report_handle (FhRun *run, const guint8 *message, gsize size);

/* What the interpreter guard does in a run of this request; NULL when its language has none. */
FhGuardState *fh_guest_report_guard_state (FhRunRequest *request);
