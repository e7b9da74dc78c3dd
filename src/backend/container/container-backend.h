/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"
#include "container-options.h"

G_BEGIN_DECLS

/* Tier D: containers with these options. A probe creates a container that runs nothing and reports
 * the state of each guard; it does not pull a missing image. */
FhBackend *fh_container_backend_new (const FhContainerOptions *options);

/* Creates a container with these options, sets up all guards and runs nothing, reports the state of
 * each guard, and removes the container. It has a generated name and none of the user's folders. A
 * failing engine or a missing image is a result, not an error. */
void fh_container_probe_async (const FhContainerOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
FhBackendProbe *fh_container_probe_finish (GAsyncResult *result, GError **error);

G_END_DECLS
