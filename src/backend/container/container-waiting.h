/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-program.h"
#include "container-removals.h"

/* A container that is made before there is a program for it: our runner has set up its guards, and
 * the interpreter waits inside. Used for one run, or removed. */
typedef struct _FhContainerWaiting FhContainerWaiting;

/* Begins at once, for a run like `request`. Takes ownership of `instance`. Never pulls an image. An
 * error is silent: then nothing can be taken. */
FhContainerWaiting *fh_container_waiting_new (FhContainerInstance *instance, FhRunRequest *request);
/* One that has run cells, `n_cells` of them: its runner waits for the next. */
FhContainerWaiting *fh_container_waiting_new_used (FhContainerInstance *instance,
                                                   FhRunner *runner,
                                                   GBytes *policy,
                                                   guint32 n_cells);
/* Takes one that runs cells for a further cell, in the same container, if its policy is the same
 * and the interpreter is still there. */
gboolean fh_container_waiting_claim (FhContainerWaiting *self, FhRunRequest *request);
/* Returns `end` of FhPreparedRunner. */
const char *fh_container_waiting_get_end (FhContainerWaiting *self);
/* Cells that it has run; 0 unless it was claimed. `self` may be NULL. */
guint32 fh_container_waiting_get_claimed (FhContainerWaiting *self);
gboolean fh_container_waiting_has_cells (FhContainerWaiting *self);

/* Removes the container unless it was taken or is kept. */
void fh_container_waiting_free (FhContainerWaiting *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerWaiting, fh_container_waiting_free)

/* Gives the engine and the name of the container to the instance of a run, for which it is to be
 * taken. FALSE if there is no container yet, or not any more. */
gboolean fh_container_waiting_lend (FhContainerWaiting *self, FhContainerInstance *instance);

/* Returns the runner that waits, if the same command made its container and its policy is that of
 * `order`; else NULL, and the instance has the name of a new container. `guards`: see
 * fh_prepared_runner_steal. (transfer full) */
FhRunner *fh_container_waiting_take (FhContainerWaiting *self,
                                     FhContainerInstance *instance,
                                     const FhOrder *order,
                                     GBytes **guards);

/* The runner says that nothing could be started: TRUE if that was the one that waited, and a new
 * one should be tried. */
gboolean fh_container_waiting_give_back (FhContainerWaiting *self);
