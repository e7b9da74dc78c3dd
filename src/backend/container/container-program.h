/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-instance.h"
#include "runner-process.h"

G_BEGIN_DECLS

/* The command for a runner in a container: a policy, a program and its standard input. */
typedef struct _FhContainerProgram FhContainerProgram;

/* `needs_files`: collect files even if the request does not ask for them. NULL with an error when
 * the policy does not fit into a frame. */
FhContainerProgram *fh_container_program_new (FhContainerInstance *instance,
                                              FhRunRequest *request,
                                              gboolean needs_files,
                                              GError **error);
void fh_container_program_free (FhContainerProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerProgram, fh_container_program_free)

/* The policy's frame. Borrowed. */
GBytes *fh_container_program_get_policy (FhContainerProgram *self);
/* Whether its interpreter can wait in the container, see fh_policy_can_wait. */
gboolean fh_container_program_can_wait (FhContainerProgram *self);

gboolean fh_container_program_is_cell (FhContainerProgram *self);
/* Makes it the cell of this number, of an interpreter that counts from 1. */
void fh_container_program_set_cell (FhContainerProgram *self, guint32 number);

/* Sends all but the policy, together with `files` (element-type FhRunFile), nullable. */
void
fh_container_program_send (FhContainerProgram *self, GPtrArray *files, FhRunnerProcess *process);

/* A sentence: the image does not have the program. (transfer full) */
char *fh_container_program_dup_missing (FhContainerProgram *self, FhContainerInstance *instance);

/* Removes the program from a bound folder if the runner could not, provided the file is
 * unchanged. */
void fh_container_program_clear_up (FhContainerProgram *self, FhContainerInstance *instance);

G_END_DECLS
