/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-status.h"

/* The sentence for a run that was not started, whose guard failed, or that ended with an internal
 * error. For run-status.c, which has the others. */
char *fh_run_failure_sentence (const FhRunOutcome *outcome);
