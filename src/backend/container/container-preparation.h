/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-place.h"

G_BEGIN_DECLS

/* Told of what can take long; `pull` is NULL when it is over. */
typedef void (*FhContainerPullFunc) (FhImagePull *pull, gpointer user_data);

/* Makes a place ready, step by step: an engine, the image, which is pulled when it is missing, the
 * folders, and where a run needs one that is there before it, the container. What the place has
 * already is not looked for again, but a kept container always is. Cancelling it leaves what there
 * is; who owns the place removes a container that `may_exist`.
 *
 * The error is a sentence for people, of FH_ENGINE_ERROR as a rule. */
void fh_container_prepare_async (FhContainerPlace *place,
                                 FhContainerPullFunc pulling,
                                 gpointer pulling_data,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fh_container_prepare_finish (GAsyncResult *result, GError **error);

G_END_DECLS
