/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "executor.h"

G_BEGIN_DECLS

/* Closes it, and waits until its container is stopped or removed, as its options want it. A message
 * says why that was not possible, unless the result of the last run has told the same: that the
 * engine is gone, for example. */
void fh_executor_end (FhExecutor *executor);

G_END_DECLS
