/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

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

/* The removals that one sandbox has started. They continue when the sandbox is disposed of. Each
 * removal or preparation that is under way has a reference; a thread may drop the last one. */
typedef struct
{
  GMutex turn; /* held by a thread that makes or finds the sandbox's container */
  guint count;
  GPtrArray *waiting; /* (element-type GTask) */
  GError *error;      /* of the last one */
} FhContainerRemovals;

FhContainerRemovals *fh_container_removals_new (void);
FhContainerRemovals *fh_container_removals_ref (FhContainerRemovals *self);
void fh_container_removals_unref (FhContainerRemovals *self);

/* Removes a container with everything that belongs to it; see fh_container_leftovers_remove. */
void fh_container_removals_add (FhContainerRemovals *self,
                                FhEngine *engine,
                                const char *name,
                                gboolean is_certain);

/* Removes the leftovers of others, once per engine and process, in the background. */
void fh_container_removals_reap_once (FhContainerRemovals *self, FhEngine *engine);

/* Something else that is to be waited for has begun, or ended. */
void fh_container_removals_begin (FhContainerRemovals *self);
void fh_container_removals_end (FhContainerRemovals *self);

/* Returns TRUE in the task, or the error of the last removal, when none is pending. */
void fh_container_removals_wait (FhContainerRemovals *self, GTask *task);
