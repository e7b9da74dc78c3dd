/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "clients.h"
#include "container-ops.h"

/* The arguments of a client that finds a container, before its name. */
#define FH_CONTAINER_INSPECT "inspect", "--type", "container", "--"

/* The answer of such a client, as of fh_container_find. */
FhContainer *
fh_container_take_found (FhEngine *engine, const char *name, FhClient *client, GError **error);

/* For fh_engine_start: stops the container of the order, with its number of seconds. */
gpointer fh_container_stop_in_thread (const FhEngineOrder *order, GCancellable *c, GError **error);

/* Asks the engine once to remove a container; its folders stay. */
gboolean fh_container_remove_once (FhEngine *engine,
                                   const char *name,
                                   GCancellable *cancellable,
                                   GError **error);
