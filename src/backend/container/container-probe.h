/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"
#include "container-options.h"

G_BEGIN_DECLS

/* Makes a container as these options say, in which nothing runs, and tells what each guard is worth
 * there. It has a name of its own, no folder of the user's, and is removed afterwards. An engine
 * that does not work, or an image that is not there, is no error but the answer. */
void fh_container_probe_async (const FhContainerOptions *options,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
FhBackendProbe *fh_container_probe_finish (GAsyncResult *result, GError **error);

G_END_DECLS
