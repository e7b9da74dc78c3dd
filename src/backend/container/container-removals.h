/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* The removals that one sandbox has started. They continue when the sandbox is disposed of. Each
 * removal or preparation that is under way has a reference. */
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

/* Something else that is to be waited for has begun, or ended. */
void fh_container_removals_begin (FhContainerRemovals *self);
void fh_container_removals_end (FhContainerRemovals *self);

/* Returns TRUE in the task, or the error of the last removal, when none is pending. */
void fh_container_removals_wait (FhContainerRemovals *self, GTask *task);

G_END_DECLS
