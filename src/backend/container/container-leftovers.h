/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* Containers of this process that must not outlive it. If the process exits while one is noted, a
 * detached client removes it. Containers of a killed process are removed by the next one, see
 * fh_container_reap. From any thread. */
void fh_container_leftovers_note (FhEngine *engine, const char *name);

/* Drops a note: the name turned out to be another's. */
void fh_container_leftovers_forget (const char *name);

/* Removes a container and drops its note. `is_certain`: the name is ours for sure, so the container
 * need not be inspected first. Blocks. */
gboolean fh_container_leftovers_remove (FhEngine *engine,
                                        const char *name,
                                        gboolean is_certain,
                                        GError **error);
/* Removes the leftovers of others, once per engine and process, in the background. */
void fh_container_leftovers_reap_once (FhEngine *engine);

G_END_DECLS
