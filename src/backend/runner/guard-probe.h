/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-status.h"
#include "runner.h"

/* Called once. `guards` (element-type FhGuardState) is what the runner reported, perhaps empty.
 * Then either `outcome` is how it ended, or `error` is FH_RUN_ERROR_UNAVAILABLE with a sentence
 * because it was gone before that, G_IO_ERROR_TIMED_OUT or G_IO_ERROR_CANCELLED. The connection is
 * closed. All is borrowed. */
typedef void (*FhGuardProbeFunc) (FhRunner *runner,
                                  GPtrArray *guards,
                                  const FhRunOutcome *outcome,
                                  const GError *error,
                                  gpointer user_data);

/* Waits for the answer of a runner that was told to set up its guards and to run nothing. Takes
 * ownership of `runner`, whose listener it becomes. `timeout_ms`: 0 for none. `cancellable`:
 * nullable. */
void fh_guard_probe (FhRunner *runner,
                     guint timeout_ms,
                     GCancellable *cancellable,
                     FhGuardProbeFunc answered,
                     gpointer user_data);
