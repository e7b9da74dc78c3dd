/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "order.h"
#include "run-driver.h"
#include "wire-result-file.h"

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

/* Returns the state of the interpreter guard in a run of this request; NULL when its language has
 * none. */
FhGuardState *fh_guest_report_guard_state (FhRunRequest *request);

/* Assembles the files of one run from the runner's frames. A frame that exceeds the protocol's
 * limits or contradicts what was announced is an error. */
typedef struct _FhResultCollector FhResultCollector;

FhResultCollector *fh_result_collector_new (gboolean hands_on);
void fh_result_collector_free (FhResultCollector *self);

/* Handles a FH_FRAME_RESULT_FILE, FH_FRAME_RESULT_PIECE or FH_FRAME_RESULTS_END. FALSE when it is
 * invalid. */
gboolean fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame);

/* Moves the files to `files`, sorted by path. Marks the list incomplete when the end is missing;
 * changes nothing when nothing arrived. */
void fh_result_collector_finish (FhResultCollector *self, FhResultFiles *files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhResultCollector, fh_result_collector_free)
