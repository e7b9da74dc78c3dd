/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "live-output.h"
#include "run-command-line.h"

G_BEGIN_DECLS

/* Says on standard error how a run ended, and what it tried, as far as it was asked for. `output`:
 * nullable. */
void fh_run_explain (const FhRunCommandLine *options, FhRunResult *result, FhLiveOutput *output);

G_END_DECLS
