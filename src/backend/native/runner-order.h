/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "runner-process.h"
#include "wire-policy.h"

G_BEGIN_DECLS

/* What one runner is to do: a policy and, unless it only probes, a program. */
typedef struct _FhRunnerOrder FhRunnerOrder;

/* Takes the policy in any case. NULL with an error when it does not fit into a frame. `content` may
 * be NULL, and `name` with it. */
FhRunnerOrder *
fh_runner_order_new (struct fh_policy *policy, const char *name, GBytes *content, GError **error);
void fh_runner_order_free (FhRunnerOrder *order);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunnerOrder, fh_runner_order_free)

/* Sends it, and takes it: at once, or where systemd can give the runner a control group of its own,
 * as soon as that has been done or has failed. When cancelled, it may not be sent any more. */
void
fh_runner_order_give (FhRunnerOrder *order, FhRunnerProcess *process, GCancellable *cancellable);

G_END_DECLS
