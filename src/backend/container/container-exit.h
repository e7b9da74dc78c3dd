/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "clients.h"
#include "container-instance.h"
#include "container-ops.h"
#include "run-status.h"

/* Diagnoses the end of a run whose runner reported no result. Exit statuses prove nothing by
 * themselves: 137 and 125 may be the program's own. */
typedef struct _FhContainerExit FhContainerExit;

/* What is known without the engine: whether the program was started, how the client ended (below 0:
 * killed), and its standard error. */
FhContainerExit *fh_container_exit_new (FhContainerInstance *instance,
                                        gboolean has_started,
                                        int exit_status,
                                        const char *why,
                                        const char *client_stderr);
void fh_container_exit_free (FhContainerExit *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerExit, fh_container_exit_free)

/* Nothing was created, because the name belongs to another container. */
gboolean fh_container_exit_is_name_taken (FhContainerExit *self);

/* For fh_engine_start, with the exit as data, which is used in the thread alone meanwhile: asks the
 * engine for the container, and again while it may be about to remove it. (transfer full) */
gpointer
fh_container_exit_inspect (const FhEngineOrder *order, GCancellable *cancellable, GError **error);

/* With the engine's answer, or its error. The outcome's strings belong to `self`. */
FhRunOutcome fh_container_exit_diagnose (FhContainerExit *self,
                                         const FhContainer *container,
                                         const GError *error);
