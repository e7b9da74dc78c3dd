/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runner-process.h"
#include "wire-policy.h"

G_BEGIN_DECLS

/* The command for a runner: a policy and, except for a probe, a program. */
typedef struct _FhRunnerCommand FhRunnerCommand;

/* Consumes the policy. NULL with an error when it does not fit into a frame. `name` and `content`
 * of the program's file are NULL for a probe. */
FhRunnerCommand *
fh_runner_command_new (struct fh_policy *policy, const char *name, GBytes *content, GError **error);
void fh_runner_command_free (FhRunnerCommand *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunnerCommand, fh_runner_command_free)

/* Sends and consumes the command; where systemd can give the runner a control group of its own, as
 * soon as that succeeded or failed. Cancelling drops a command that is not sent yet. */
void fh_runner_command_send (FhRunnerCommand *order,
                             FhRunnerProcess *process,
                             GCancellable *cancellable);

G_END_DECLS
