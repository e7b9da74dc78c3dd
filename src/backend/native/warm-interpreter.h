/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "native-order.h"

/* A runner with a warm interpreter, of which runs that are alike get a copy each, one after the
 * other: FH_POLICY_FORKED. A new one is started when it takes no more runs; never one that is in
 * doubt. */
typedef struct _FhWarmInterpreter FhWarmInterpreter;

/* For runs like `like`; `modules` are imported ahead. */
FhWarmInterpreter *fh_warm_interpreter_new (FhRunRequest *like, const char *const *modules);
void fh_warm_interpreter_free (FhWarmInterpreter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhWarmInterpreter, fh_warm_interpreter_free)

/* Makes the order one for such a runner. FALSE, and the order is left alone, if the run needs
 * another sandbox than the others, or interpreters failed too often. */
gboolean fh_warm_interpreter_take (FhWarmInterpreter *self, FhOrder *order);

/* The runner that waits for this order; NULL if one has to be started for it. `guards` is set to
 * the payload of its FH_FRAME_GUARDS, or NULL if that is still to come. (transfer full) */
FhRunner *
fh_warm_interpreter_steal (FhWarmInterpreter *self, const FhOrder *order, GBytes **guards);

/* Its run has ended as it should: it waits for the next. Takes ownership. */
void fh_warm_interpreter_keep (FhWarmInterpreter *self, FhRunner *runner);

/* It could not start a run. */
void fh_warm_interpreter_fail (FhWarmInterpreter *self);
