/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-instance.h"

G_BEGIN_DECLS

/* Creates the container, copies our programs into it where nothing can be bound, and starts it if
 * it is to be kept. `found` (nullable), an existing container of the user's, is reused if its
 * options match, and started if necessary.
 *
 * If another process takes the name of a kept one meanwhile, it may be another run with the same
 * options: its container is used if it matches. The error is a sentence, usually FH_ENGINE_ERROR.
 */
void fh_container_create_async (FhContainerInstance *instance,
                                const FhContainer *found,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean fh_container_create_finish (GAsyncResult *result, GError **error);

G_END_DECLS
