/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-instance.h"
#include "order.h"

/* The program of a request in a container. */

/* `files` (element-type FhRunFile; nullable) lie beside it, besides those of the request.
 * `needs_files`: collect files even if the request does not ask for them, but not for the run. NULL
 * with an error when the policy does not fit into a frame. */
FhOrder *fh_container_program_order (FhContainerInstance *instance,
                                     FhRunRequest *request,
                                     GPtrArray *files,
                                     gboolean needs_files,
                                     GError **error);

/* Starts the client of an engine that connects us to the runner in a container, which is not told
 * anything yet. The container is noted as one to be removed, unless it is kept. NULL with an error
 * if the client cannot be started. (transfer full) */
FhRunner *fh_container_program_start_client (FhContainerInstance *instance, GError **error);

/* A sentence: the image does not have the program. (transfer full) */
char *fh_container_program_dup_missing (const FhOrder *order, FhContainerInstance *instance);

/* Removes the program from a bound folder if the runner could not, provided the file is
 * unchanged. */
void fh_container_program_clear_up (const FhOrder *order, FhContainerInstance *instance);
