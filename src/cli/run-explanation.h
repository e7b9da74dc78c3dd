/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "live-output.h"
#include "run-command-line.h"

/* Says on standard error how a run that has a result ended, what it tried, as far as it was asked
 * for, and on a terminal what else a person wants to know first. `output`: nullable. */
void fh_run_explain (const FhRunCommandLine *options, FhRun *run, FhLiveOutput *output);
