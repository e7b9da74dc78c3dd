/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

/* The resources of a run in one line, translated. (transfer full) */

/* The time alone: so far, with its limit, and at the end. */
char *fh_output_figures_time_live (guint64 elapsed_us, const FhRunLimits *limits);
char *fh_output_figures_time_final (FhRunResult *result);

/* While it runs: elapsed time and its limit, memory now. */
char *
fh_output_figures_live (guint64 elapsed_us, const FhRunUsage *usage, const FhRunLimits *limits);

/* At the end: exit code or signal, time, CPU time, peak memory, bytes of each stream. `is_answer`:
 * there are headings in the output, which no part wrote, so the bytes are told only if the result
 * has those of each block. */
char *fh_output_figures_final (FhRunResult *result, gboolean is_answer);
