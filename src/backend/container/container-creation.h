/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-place.h"

G_BEGIN_DECLS

/* Creates the container of a place, puts our programs into it where nothing can be bound, and
 * starts it when it is to be kept. `found`, nullable, is one that is there already and belongs to
 * the user: what a run needs is done to it, if it suits.
 *
 * When somebody takes the name of a kept one just now, it may be another run that wants the same:
 * what he has made is used if it suits. The error is a sentence, of FH_ENGINE_ERROR as a rule. */
void fh_container_create_async (FhContainerPlace *place,
                                const FhContainer *found,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean fh_container_create_finish (GAsyncResult *result, GError **error);

G_END_DECLS
