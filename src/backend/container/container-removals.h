/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* What one sandbox has on its way out. It goes on when the sandbox is let go of. */
typedef struct _FhContainerRemovals FhContainerRemovals;

FhContainerRemovals *fh_container_removals_new (void);
void fh_container_removals_unref (FhContainerRemovals *self);

/* Removes a container with all that belongs to it; see fh_container_leftovers_remove_async. */
void fh_container_removals_add (FhContainerRemovals *self,
                                FhEngine *engine,
                                const char *name,
                                gboolean is_certain);

/* Removes a kept one that could not be made ready. Its folders stay: there may be files of an
 * earlier one of that name in them. */
void fh_container_removals_add_half (FhContainerRemovals *self, FhEngine *engine, const char *name);

/* Returns TRUE in the task, or what kept the last container from going, when none is on its way any
 * more. */
void fh_container_removals_wait (FhContainerRemovals *self, GTask *task);

G_END_DECLS
