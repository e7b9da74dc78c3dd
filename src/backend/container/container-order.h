/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-place.h"
#include "runner-process.h"

G_BEGIN_DECLS

/* What a runner in a container is to do: a policy, a program and its standard input. */
typedef struct _FhContainerOrder FhContainerOrder;

/* `limits` are those in force. `needs_files`: what the program leaves is wanted, even when the
 * request does not want it. NULL with an error when it does not fit into a frame. */
FhContainerOrder *fh_container_order_new (FhContainerPlace *place,
                                          FhRunRequest *request,
                                          const FhRunLimits *limits,
                                          gboolean needs_files,
                                          GError **error);
void fh_container_order_free (FhContainerOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerOrder, fh_container_order_free)

/* Sends it. `files` (element-type FhContainerFile), nullable, go along. */
void fh_container_order_give (FhContainerOrder *self, GPtrArray *files, FhRunnerProcess *process);

/* For a runner that could not do it any more: removes the program from a folder of this computer
 * that others use as well, when it is still what was sent. */
void fh_container_order_clear_up (FhContainerOrder *self, FhContainerPlace *place);

G_END_DECLS
