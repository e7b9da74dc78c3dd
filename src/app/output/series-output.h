/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-view.h"
#include "series.h"

/* Shows what the steps of a series print, one below the other: the blocks of an answer or the cells
 * of a session, each with a heading and with how it ended. */
typedef struct _FhSeriesOutput FhSeriesOutput;

/* Has to be made before the series starts. `blocks`: (element-type FhAnswerBlock) of an answer, and
 * `first` the number of the first one; NULL for a session, which leaves what was shown before until
 * it has something to show. `attempts`: of all blocks; NULL for a session. */
FhSeriesOutput *fh_series_output_new (FhSeries *series,
                                      FhOutputView *output,
                                      GPtrArray *blocks,
                                      guint first,
                                      FhAttemptLog *attempts);
/* Nothing is shown after that. */
void fh_series_output_free (FhSeriesOutput *self);

/* Shows a past answer as it was shown when it ran. `result`: one with fh_run_result_get_blocks. */
void fh_series_output_show_past (FhOutputView *output, FhRunRequest *request, FhRunResult *result);

/* That the variables are gone, if a cell had to be run by a new interpreter; else NULL. (transfer
 * full) */
char *fh_series_output_dup_restarted (FhStep *step);
