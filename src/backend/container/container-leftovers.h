/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* Containers of this process that must not outlive it. When the process exits while one of them is
 * still noted, its removal is left to a client that goes on alone. One that is killed leaves them
 * to the next process, see fh_container_reap_async. For the main thread only. */
void fh_container_leftovers_note (FhEngine *engine, const char *name);

/* Removes one of them, and forgets it when it is gone. `is_certain`: nobody else can have a
 * container of that name, so that it need not be looked at first. */
void fh_container_leftovers_remove_async (FhEngine *engine,
                                          const char *name,
                                          gboolean is_certain,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean fh_container_leftovers_remove_finish (GAsyncResult *result, GError **error);

/* Looks for what others have left, once per engine and process, beside everything else. */
void fh_container_leftovers_reap_once (FhEngine *engine);

G_END_DECLS
