/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "runner-process.h"
#include "wire-policy.h"

G_BEGIN_DECLS

/* The command for a runner: a policy and the program of a request. Without one it is to prepare, or
 * to probe, as the policy says. A sandbox for many runs is to prepare in any case. */
typedef struct _FhRunnerCommand FhRunnerCommand;

/* Consumes the policy. NULL with an error when it does not fit into a frame. `messages`: see
 * fh_policy_build_messages; NULL without a request. */
FhRunnerCommand *fh_runner_command_new (struct fh_policy *policy,
                                        FhRunRequest *request,
                                        GBytes *messages,
                                        GError **error);
void fh_runner_command_free (FhRunnerCommand *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunnerCommand, fh_runner_command_free)

/* The program's file has this name, and these files lie beside it. */
void fh_runner_command_set_work (FhRunnerCommand *self, const char *program, GPtrArray *files);

/* Sends and consumes the command; where systemd can give the runner a control group of its own, as
 * soon as that succeeded or failed. Cancelling drops a command that is not sent yet. */
void fh_runner_command_send (FhRunnerCommand *order,
                             FhRunnerProcess *process,
                             GCancellable *cancellable);

/* The part about the program or the cell, for a runner that has prepared for it. `program`: the
 * name of its file; NULL: the language's. */
void fh_runner_command_send_program (FhRunnerProcess *process,
                                     FhRunRequest *request,
                                     const char *program,
                                     GBytes *messages);

/* The same for a sandbox that stays, with the frame of FH_FRAME_PROGRAM. The files that it has
 * already are only compared with. */
void fh_runner_command_send_next (FhRunnerProcess *process,
                                  FhRunRequest *request,
                                  GBytes *program,
                                  GBytes *messages);

G_END_DECLS
