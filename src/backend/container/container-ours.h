/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "clients.h"
#include "container-ops.h"

G_BEGIN_DECLS

/* What the functions of container-ops.h do, for those that are in a thread already. All block. */

/* The arguments of a client that finds a container, before its name. */
#define FH_CONTAINER_INSPECT "inspect", "--type", "container", "--"

FhContainer *
fh_container_find (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error);
/* The answer of such a client. */
FhContainer *
fh_container_take_found (FhEngine *engine, const char *name, FhClient *client, GError **error);

gboolean fh_container_stop (FhEngine *engine,
                            const char *name,
                            guint grace_s,
                            GCancellable *cancellable,
                            GError **error);
gboolean
fh_container_remove (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error);

/* Asks the engine once to remove a container; its folders stay. */
gboolean fh_container_remove_once (FhEngine *engine, const char *name, GError **error);

/* Something runs in it or would, if it were not paused. */
gboolean fh_container_is_up (const FhContainer *container);

/* For a container that is not ours. */
GError *fh_container_foreign_error (const char *name);

G_END_DECLS
