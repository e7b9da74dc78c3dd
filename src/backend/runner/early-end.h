/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-driver.h"

G_BEGIN_DECLS

/* Ends a run that nothing was started for. The end is told from the main loop, because it is known
 * before whoever asked for the run could have listened to it. `message` is a sentence for people.
 */
void fh_run_end_early (FhRun *run, FhRunStatus status, const char *step, const char *message);

G_END_DECLS
