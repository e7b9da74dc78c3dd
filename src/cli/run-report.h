/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sandbox.h"
#include "series.h"

/* What --json prints about runs. */

/* One run: fh_run_result_to_json, and the “container” that it ran in. `sandbox`: NULL when
 * nothing was run. (transfer full) */
JsonNode *
fh_run_report_new_run (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox);
/* Prints that. FALSE if nobody reads it. */
gboolean fh_run_report_print (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox);

/* Whether head or tail of each stream are missing where `show_bytes` of it are shown (0: all), and
 * how much there was. (transfer full) */
JsonObject *fh_run_report_new_truncated (FhRunResult *result, guint64 show_bytes);

/* An answer: its blocks, and what they come to. */
typedef struct _FhRunReport FhRunReport;

/* Both live as long as the report. `blocks`: (element-type FhAnswerBlock). */
FhRunReport *fh_run_report_new (const FhRunOptions *options, GPtrArray *blocks);
void fh_run_report_free (FhRunReport *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunReport, fh_run_report_free)

/* The handler of the series' "step-changed". `sandbox`: in which the step was run. */
void fh_run_report_take (FhRunReport *self, FhStep *step, FhSandbox *sandbox);
/* Prints all of it. FALSE if nobody reads it. */
gboolean fh_run_report_print_blocks (FhRunReport *self, FhSeries *series, int exit_status);
