/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* What a run used, as one line of figures for people, translated. Free the result. */

/* While it runs: time so far and of how much, memory now. */
char *
fh_output_figures_live (guint64 elapsed_us, const FhRunUsage *usage, const FhRunLimits *limits);

/* Afterwards: exit code or signal, time, processor time, peak memory, bytes of each stream. */
char *fh_output_figures_final (FhRunResult *result);

G_END_DECLS
