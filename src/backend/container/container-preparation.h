/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-instance.h"

/* Called when a pull starts and whenever it says something new, and with NULL when it is over. NULL
 * where nothing is pulled. */
typedef void (*FhContainerPullFunc) (FhImagePull *pull, gpointer user_data);

/* Prepares a container in a thread: the engine, the image, which is pulled if missing, the folders
 * and, where a run needs an existing one, the container. What is known already is not looked up
 * again, except a kept container. The preparations of one sandbox follow one another.
 *
 * The instance gets what was found and made when all is done. Cancelling ends the clients; what is
 * half made then, or after an error, is removed. The error is a sentence for people, usually
 * FH_ENGINE_ERROR. */
void fh_container_prepare_async (FhContainerInstance *instance,
                                 FhContainerPullFunc pulling,
                                 gpointer pulling_data,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
/* Hands over what was found and made, so it is called once. */
gboolean fh_container_prepare_finish (GAsyncResult *result, GError **error);
