/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"
#include "wire-frame.h"

G_BEGIN_DECLS

/* Puts what the runner reports while a program runs into the run. The start and the end of the run
 * are handled by FhRunConversation. */
typedef struct _FhRunEvents FhRunEvents;

/* `tier`: the policy's. `shown`: the user's folders that the policy shows, nullable. */
FhRunEvents *fh_run_events_new (FhRun *run, const char *tier, const char *const *shown);
void fh_run_events_free (FhRunEvents *self);

/* The run is in a container with these options, which are copied, and these layers, whose strings
 * are taken: see fh_container_guards_refine and fh_guard_states_add_layers. */
void fh_run_events_set_container (FhRunEvents *self,
                                  const FhContainerOptions *options,
                                  char *const *layers);

/* Collects files into `files` instead of the run, even if the request does not ask for any. */
void fh_run_events_set_files (FhRunEvents *self, FhResultFiles *files);

/* Puts the collected files into the run, after the last frame. */
void fh_run_events_end (FhRunEvents *self);

/* Completes how the run ended with what only its interpreter has told. */
void fh_run_events_refine_outcome (FhRunEvents *self, FhRunOutcome *outcome);

/* FALSE for a frame that is invalid or of another kind. */
gboolean fh_run_events_handle (FhRunEvents *self, const struct fh_frame *frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunEvents, fh_run_events_free)

G_END_DECLS
