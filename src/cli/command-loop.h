/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recorder.h"

/* What commands do that run a series: `run` from its start to its end, `session` at its end. */

/* Returns when the series, which was started, is done. Each signal that asks us to end stops it,
 * see stop-signals.h. */
void fh_command_loop_run (FhSeries *series);

/* Closes the executor and the series, and waits until the executor's container is stopped or
 * removed, as its options want it. A message says why that was not possible, unless the result of
 * the last run has told the same: that the engine is gone, for example. */
void fh_command_loop_end (FhExecutor *executor, FhSeries *series);

/* Waits until the recorder has nothing left to save. */
void fh_command_loop_save (FhRecorder *recorder);
