/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-image.h"
#include "sandbox.h"

G_BEGIN_DECLS

/* A container as a sandbox. The container is that of the options; a request's own options are only
 * kept as a record. It is made with the first run (or by fh_container_sandbox_start_async), after
 * the engine was chosen and the image found or, unless options->no_pull, pulled.
 *
 * Not kept: each run has a container of its own, removed after it. Kept: runs are further processes
 * in one that stays; one that has gone behind our back is made anew, and the run says so.
 * Letting go of the sandbox does what options->after says.
 *
 * Properties, notified, for those who want to show it: `pull` (FhImagePull, while an image is on
 * its way, else NULL), `container-name` (NULL before there is one). */
#define FH_TYPE_CONTAINER_SANDBOX (fh_container_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (FhContainerSandbox, fh_container_sandbox, FH, CONTAINER_SANDBOX, GObject)

FhSandbox *fh_container_sandbox_new (const FhContainerOptions *options, const FhRunLimits *limits);

/* NULL until it was chosen. */
FhEngine *fh_container_sandbox_get_engine (FhContainerSandbox *self);
const char *fh_container_sandbox_get_name (FhContainerSandbox *self);

/* Makes everything ready without running anything; a run does it by itself. */
void fh_container_sandbox_start_async (FhContainerSandbox *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
fh_container_sandbox_start_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error);

/* A kept container anew, with what was installed; an error when it does not run afterwards. */
void fh_container_sandbox_restart_async (FhContainerSandbox *self,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
gboolean fh_container_sandbox_restart_finish (FhContainerSandbox *self,
                                              GAsyncResult *result,
                                              GError **error);

/* Ends the run, then stops the container and, with FH_CONTAINER_REMOVE, removes it. Twice is once.
 */
void fh_container_sandbox_stop_async (FhContainerSandbox *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
gboolean
fh_container_sandbox_stop_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error);

G_END_DECLS
