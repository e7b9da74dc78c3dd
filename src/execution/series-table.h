/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "series.h"

/* The output of an answer or a session as it is recorded: a line for each step that says how it
 * went, and for blocks what they wrote below it. `time_us`: since the series began. */

/* `place`: nullable. */
void fh_series_table_add_row (FhOutputLog *table,
                              guint64 time_us,
                              FhStep *step,
                              const char *place,
                              const char *text);
/* Adds a text of one line, such as the value of a cell. */
void fh_series_table_add_line (FhOutputLog *table, guint64 time_us, const char *text);
/* `block`: is told where the output is in the table; nullable. */
void fh_series_table_add_output (FhOutputLog *table,
                                 guint64 time_us,
                                 FhOutputLog *output,
                                 FhBlockRun *block);
/* Adds a block, and nothing for one that had no turn. `result`: NULL if the block did not run.
 * `n_waiting`: how many blocks wait behind it. Returns what became of it. (transfer full) */
FhBlockRun *fh_series_table_add_block (FhOutputLog *table,
                                       guint64 time_us,
                                       FhStep *step,
                                       FhRunResult *result,
                                       guint n_waiting);
/* Adds blocks without a turn behind those that are in `blocks` (element-type FhBlockRun). */
void fh_series_table_add_waiting (GPtrArray *blocks, guint n_waiting);
